# A program that is sampled on the real machine is shown while it runs: the number of samples, and its data structures and code
# so far.
export MEMSPY
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import json, os, signal, subprocess, time
from server import Server, names, wait_for

memspy, program = os.environ['MEMSPY'], os.environ['PROGRAMS'] + '/rounds'
subprocess.run([memspy, 'run', '-q', '--', 'true'], check=True)

with Server() as s:
    child = subprocess.Popen([memspy, 'sample', '-q', '--event', 'timer', '--rate', '1000', '--', program], stdin=subprocess.PIPE)
    def more():
        child.stdin.write(b'.' * 200)
        child.stdin.flush()
        time.sleep(0.3)
        live = json.loads(s.ask('live.json')[2])
        return live if live and live[0]['moments'][-1]['references'] > 0 else None
    one = wait_for(more)[0]
    print(one['pid'] == child.pid, one['sampled'], one['machine'], one['ended'])
    def first():
        more()
        page = json.loads(s.ask('live/%d.json' % child.pid)[2])
        return page if page and 'walk' in names(page, 'code') else None
    page = wait_for(first)
    print(page['report']['run']['end'], page['report']['run']['id'], page['report']['run']['hardware']['source'])
    child.stdin.write(b'q')
    child.stdin.close()
    print('ends', child.wait(60), 'then', s.status('live/%d.json' % child.pid), [f for f in os.listdir('.') if '-live-' in f])
    print([r['end'] for r in json.loads(s.ask('runs.json')[2])['runs']], s.stop()[0])
END
