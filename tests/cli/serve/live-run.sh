# A program that is profiled is shown while it runs, and its run when it has ended.
export MEMSPY
db=$("$DBS/make" matmul)
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import json, os, signal, subprocess, time
from server import Server

with Server('--db', 'matmul.db') as s:
    program = subprocess.Popen([os.environ['MEMSPY'], 'run', '--db', 'matmul.db', '--quiet', '--', 'bash', '-c', 'while :; do :; done; echo "<b>"'])
    live = []
    for i in range(600):
        live = json.loads(s.ask('live.json')[2])
        if live and len(live[0]['moments']) > 2:
            break
        time.sleep(0.1)
    one = live[0]
    print(one['pid'] == program.pid, one['argv'], one['ended'])
    moments = one['moments']
    print('more and more:', all(a['references'] <= b['references'] and a['seconds'] < b['seconds'] for a, b in zip(moments, moments[1:])))
    print('in the list:', s.data('')['live'][0]['pid'] == program.pid)
    # A file that is not a live run, or of no running process, is not shown.
    open('matmul.db-live-1x', 'w').write('memspy-live 1\npid 1\n')
    open('matmul.db-live-999999999', 'w').write('memspy-live 1\npid 999999999\nstarted x\nmachine x\nat 1 2 3\n')
    open('matmul.db-live-%d' % os.getpid(), 'w').write('anything <script>\n' * 9)
    os.symlink('/etc/passwd', 'matmul.db-live-%d' % os.getppid())
    print('shown:', len(json.loads(s.ask('live.json')[2])))
    program.send_signal(signal.SIGINT)
    program.wait(60)
    print('after it:', json.loads(s.ask('live.json')[2]), [r['end'] for r in json.loads(s.ask('runs.json')[2])['runs']])
    print(s.stop()[0])
END
