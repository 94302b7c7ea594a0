# A running program in a real browser: its data structures and code grow, and its run follows in the end.
export MEMSPY
mkfifo rounds
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import json, os, subprocess, time
from server import Server

memspy, program = os.environ['MEMSPY'], os.environ['PROGRAMS'] + '/rounds'
subprocess.run([memspy, 'run', '-q', '--', 'true'], check=True)
rounds = os.open('rounds', os.O_RDWR)
with Server() as s:
    child = subprocess.Popen([memspy, 'run', '-q', '--', program], stdin=open('rounds', 'rb'))
    os.write(rounds, b'...')
    while not json.loads(s.ask('live.json')[2]):
        time.sleep(0.1)
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/live.js', s.address, str(child.pid), 'rounds'], timeout=200)
    os.write(rounds, b'q')
    print(child.wait(60), s.stop()[0])
END
