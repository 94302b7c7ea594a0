# A running process that is sampled (memspy sample --attach) is shown live, with its data structures and code so far; its run is
# kept at the end.
export MEMSPY
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import json, os, signal, subprocess, time
from server import Server, names, wait_for

memspy, program = os.environ['MEMSPY'], os.environ['PROGRAMS'] + '/endless'
subprocess.run([memspy, 'run', '-q', '--', 'true'], check=True)

looked_at = subprocess.Popen([program], stdout=subprocess.PIPE)
looked_at.stdout.readline()
try:
    with Server() as s:
        child = subprocess.Popen([memspy, 'sample', '-q', '--attach', str(looked_at.pid)])
        def some():
            live = json.loads(s.ask('live.json')[2])
            return live if live and live[0]['moments'][-1]['references'] > 0 else None
        one = wait_for(some)[0]
        print(one['pid'] == child.pid, one['sampled'], one['machine'], one['argv'] == [program])
        def first():
            page = json.loads(s.ask('live/%d.json' % child.pid)[2])
            return page if page and 'chase' in names(page, 'code') else None
        run = wait_for(first)['report']['run']
        print(run['end'], run['id'], run['hardware']['source'], run['hardware']['samples'] > 0, run['hardware']['period'] > 0,
              0 < run['hardware']['cpu_ns'] < 3e9 * run["wall_seconds"])
        child.send_signal(signal.SIGINT)
        print('ends', child.wait(60), 'then', s.status('live/%d.json' % child.pid), [f for f in os.listdir('.') if '-live-' in f])
        print([r['end'] for r in json.loads(s.ask('runs.json')[2])['runs']], looked_at.poll(), s.stop()[0])
finally:
    looked_at.kill()
    looked_at.wait()
END
