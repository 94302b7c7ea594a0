# The served pages work in a real browser; a page of another origin gets nothing.
export MEMSPY
db=$("$DBS/make" hardware)
db=$("$DBS/make" matmul)
# A second run of it, with the same everything but a tenth of the misses on one data.
python3 - <<'END'
import sqlite3
db = sqlite3.connect('matmul.db')
def copy(table, key, **changes):
    columns = [c[1] for c in db.execute('pragma table_info(%s)' % table)]
    values = [repr(changes[c]) if c in changes else '2' if c == key else c for c in columns]
    db.execute('insert into %s select %s from %s where %s = 1' % (table, ','.join(values), table, key))
copy('run', 'id', uid='second')
for table in 'argument level code data line frame site cell miss replacement'.split():
    copy(table, 'run')
db.execute('update miss set replaced = replaced / 10 where run = 2 and cell in (select cell from cell where run = 2 and data = 0)')
db.execute('update replacement set evictors = null where run = 2')
db.commit()
END
"$MEMSPY" diff --db "$db" --json -o diff.json @1 @2
mkdir elsewhere && echo '<!DOCTYPE html><title>elsewhere</title><body>' >elsewhere/index.html
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import functools, http.server, os, subprocess, threading
from server import Server

class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *what):
        pass

other = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory='elsewhere'))
threading.Thread(target=other.serve_forever, daemon=True).start()
with Server('--db', 'matmul.db') as s:
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/serve.js', s.address, 'http://127.0.0.1:%d/' % other.server_port], timeout=120)
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/looks.js', s.address, s.address + 'diff/1/2'], timeout=120)
    subprocess.run([os.environ['MEMSPY'], 'rename', '--db', 'matmul.db', 'Matrix.Y', 'product'], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/looks.js', s.address + 'rules'], timeout=120)
    print(s.stop()[0])
# Two runs that were sampled: how much chance there is in what changed.
subprocess.run([os.environ['MEMSPY'], 'diff', '--db', 'hardware.db', '--json', '-o', 'noise.json', '@2', '@2'], check=True)
with Server('--db', 'hardware.db') as s:
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/diff-intervals.js', s.address, 'noise.json'], timeout=120)
    print(s.stop()[0])
END
