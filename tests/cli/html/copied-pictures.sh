# The matrix, heat maps, shared lines and a waterfall are copied as PNG as they look on the page.
export MEMSPY
cat >three.ini <<'END'
[machine]
text = a machine of three
processors = 3
[level L1]
size = 32K
ways = 8
line = 64
[level LL]
size = 1M
ways = 16
line = 64
latency = 50
processors = all
[memory]
latency = 200
END
sed 's/size = 32K/size = 8K/' three.ini >small.ini
for machine in three small; do
	"$MEMSPY" run -q --observed-lines all --db r.db --machine ./$machine.ini "$PROGRAMS/member-threads" >/dev/null
done
"$MEMSPY" html --db r.db @1 -o shared.html
"$MEMSPY" html --db "$("$DBS/make" matmul)" -o page.html
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import os, subprocess
from server import Server

here = 'file://' + os.getcwd()
with Server('--db', 'r.db') as s:
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/copied-pictures.js', here + '/page.html', here + '/shared.html',
        s.address + 'diff/1/2', 'record.records'], timeout=300)
    s.stop()
END
