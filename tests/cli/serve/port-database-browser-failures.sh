# A port in use, a database that disappears, a browser that is missing, fails or does not return, and requests of other
# machines.
db=$("$DBS/make" matmul)
export MEMSPY
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import os, signal, subprocess
from server import Server, wait_for

def refused(*options):
    p = subprocess.run([os.environ['MEMSPY'], 'serve', '--db', 'matmul.db', *options], capture_output=True, text=True, timeout=60)
    print(p.returncode, p.stderr, end='')

with Server('--db', 'matmul.db') as s:
    port = s.host.split(':')[1]
    p = subprocess.run([os.environ['MEMSPY'], 'serve', '--db', 'matmul.db', '--port', port], capture_output=True, text=True)
    print(p.returncode, p.stderr.replace(port, 'N'), end='')
    os.rename('matmul.db', 'away.db')
    print('removed', s.status(''), s.status('run/1'), s.data('')['text'])
    open('matmul.db', 'w').write('something else, long enough to look like a head of a database: ' * 9)
    print('broken', s.status('run/1'), s.data('run/1')['text'])
    os.rename('away.db', 'matmul.db')
    print('back', s.status('run/1'))
    print(s.stop(signal.SIGTERM)[0])
os.environ['PATH'] = '/nowhere'
with Server('--db', 'matmul.db', '--open') as s:
    print('no browser', s.status(''), s.stop(signal.SIGHUP)[1].splitlines()[1])
def browser(text):
    os.makedirs('bin', exist_ok=True)
    with open('bin/xdg-open', 'w') as f:
        f.write('#!/bin/sh\n' + text)
    os.chmod('bin/xdg-open', 0o755)

os.environ['PATH'] = os.path.abspath('bin') + ':/usr/bin:/bin'
browser('exit 4\n')
with Server('--db', 'matmul.db', '--open') as s:
    s.child.stderr.readline()
    print('a browser that fails', s.status(''), s.child.stderr.readline(), end='')
# One that stays for as long as its window does: it gets a file, and signals; the server answers, and ends when it is asked to.
browser('while read key value; do [ $key != SigBlk: ] || echo $value; done </proc/$$/status >blocked\necho $$ >pid\necho "$1" >address.new\nmv address.new address\nexec sleep 100 </dev/null >/dev/null 2>&1\n')
with Server('--db', 'matmul.db', '--open') as s:
    wait_for(lambda: os.path.exists('address'))
    print('one that stays', open('address').read().startswith('file:///'), int(open('blocked').read(), 16), s.status(''), s.stop(signal.SIGTERM)[0])
    os.kill(int(open('pid').read()), signal.SIGKILL)
with Server('--db', 'matmul.db', '--listen', '127.0.0.2') as s:
    print(s.host.split(':')[0], s.status(''), s.status('', headers={'Host': '127.0.0.1:' + s.host.split(':')[1]}))
refused('--listen', '192.0.2.1')
refused('--listen', '192.0.2.1', '--allow-remote', '--port', '1234')
refused('--listen', '0.0.0.0', '--allow-remote')
refused('--listen', 'somewhere')
refused('--db', 'missing.db')
refused('@1')
END
