# A program that is sampled, in a real browser while it runs, and its run in the end.
export MEMSPY
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import json, os, subprocess, time
from server import Server

memspy, program = os.environ['MEMSPY'], os.environ['PROGRAMS'] + '/endless'
subprocess.run([memspy, 'run', '-q', '--', 'true'], check=True)
with Server() as s:
    child = subprocess.Popen([memspy, 'sample', '-q', '--event', 'timer', '--', program], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not json.loads(s.ask('live.json')[2]):
        time.sleep(0.1)
    try:
        subprocess.run(['node', os.environ['SRC'] + '/tests/browser/live-sample.js', s.address, str(child.pid)], timeout=200)
    finally:
        child.terminate()
    print(child.wait(60) != 0, s.stop()[0])
END
