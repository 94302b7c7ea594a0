# The list of runs asks for the stall time of each run. The server keeps the run of the first one: its page needs no reading.
export MEMSPY
db=$("$DBS/make" matmul)
sed 's/99999/1999/; s/25000/500/; s/5000/100/g' "$SRC/tests/browser/large.sql" | sqlite3 -bail "$db"
PYTHONPATH=$SRC/tests/cli/serve python3 - "$db" <<'END'
import sys
from server import Server

with Server('--db', sys.argv[1]) as s:
    def reads(path):
        """Whether the answer has read more than a connection and a file's state."""
        def read():
            return int(open('/proc/%d/io' % s.child.pid).readline().split()[1])
        before = read()
        status = s.status(path)
        print(path, status, 'reads the run' if read() - before > 20000 else 'is in memory')
    for path in 'digest/2.json', 'run/2', 'digest/1.json', 'run/2', 'digest/2.json', 'run/1', 'digest/2.json', 'digest/1.json':
        reads(path)
    print(s.stop()[0])
END
