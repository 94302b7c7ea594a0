# The live figures of a running program by data structure and code grow with it, and looking at them does not change the final
# run.
export MEMSPY
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import json, os, subprocess, time
from server import Server, wait_for

memspy, program = os.environ['MEMSPY'], os.environ['PROGRAMS'] + '/rounds'
FEW, MANY, STACK = b'.' * 3, b'.' * 2, '<stack>'
subprocess.run([memspy, 'run', '-q', '--l1', '32K,8,64', '--ll', '1M,16,64', '--', program], input=FEW + MANY, check=True)

def counts(number):
    """What was counted of the program's own code and data, which is the same in each run."""
    report = json.loads(subprocess.check_output([memspy, 'report', '--json', '@%d' % number]))
    return sorted((b['code'], b['data'], b['references'], [l['misses'] for l in b['levels']]) for b in report['bins'] if b['code'] == 'walk' and b['data'] != STACK)

def table(page, which):
    t = page['tables'][which]
    for row in t['rows']:
        row = row + [0] * (len(t['columns']) - len(row))
        yield {c: page['tables']['texts'][v] if c in t['text_columns'] and v is not None else v for c, v in zip(t['columns'], row)}

def walked(page):
    """References of walk by data. Whether a call uses the stack is the architecture's affair."""
    code, data = list(table(page, 'code')), list(table(page, 'data'))
    sums = {data[b['data']]['name']: b['references.read'] + b['references.write'] for b in table(page, 'bins') if code[b['code']]['name'] == 'walk'}
    sums.pop(STACK, None)
    return sums

def look(s, options):
    child = subprocess.Popen([memspy, 'run', '-q', '--l1', '32K,8,64', '--ll', '1M,16,64', *options, '--', program], stdin=subprocess.PIPE)
    child.stdin.write(FEW)
    child.stdin.flush()
    wait_for(lambda: json.loads(s.ask('live.json')[2]))
    ask = lambda: json.loads(s.ask('live/%d.json' % child.pid)[2])
    def first():
        page = ask()
        return page if page and walked(page).get('char.forward', 0) > 2 * 2**18 else None
    page = wait_for(first)
    print(*options, 'data by name:', sorted(walked(page)), 'end:', page['report']['run']['end'], 'id:', page['report']['run']['id'])
    child.stdin.write(MANY)
    child.stdin.flush()
    wait_for(lambda: walked(ask())['char.backward'] > 4 * 2**18)
    rest = [f for f in os.listdir('.') if '-live-%d.run' % child.pid in f]
    child.stdin.close()
    child.wait()
    print('grew;', len(rest), 'snapshot; then', s.status('live/%d.json' % child.pid), s.status('live/%d' % child.pid), [f for f in os.listdir('.') if '-live-' in f])

with Server() as s:
    for options in [['--frontend', 'valgrind'], ['--frontend', 'valgrind', '--workers', '3'], ['--frontend', 'native'], ['--processors', '2', '--frontend', 'native']]:
        look(s, options)
    print('a process that is not profiled:', s.status('live/1.json'), s.status('live/%d' % os.getpid()))
    # A link where a snapshot should be is not followed.
    with open('memspy.db-live-%d' % os.getpid(), 'w') as f:
        f.write('memspy-live 1\npid %d\nstarted x\nmachine x\nat 1 2 3\n' % os.getpid())
    os.symlink('memspy.db', 'memspy.db-live-%d.run' % os.getpid())
    print('a link:', s.ask('live/%d.json' % os.getpid())[2].strip())
    os.unlink('memspy.db-live-%d.run' % os.getpid())
    open('memspy.db-live-%d.run' % os.getpid(), 'w').write('no database ' * 99)
    print('no database:', s.status('live/%d.json' % os.getpid()))
    for f in os.listdir('.'):
        if '-live-%d' % os.getpid() in f:
            os.unlink(f)
    print(s.stop()[0])
print('the same runs:', [counts(n) == counts(1) for n in (2, 3, 4)], counts(1)[0][:3])
END
