# The details of a data structure in the page have the use of lines of show --json: all lines in a file, some lines in a served page.
export MEMSPY
for lines in all auto; do
	"$MEMSPY" run -q --db r.db --machine intel-skylake-sp --observed-lines $lines "$PROGRAMS/line-use" >/dev/null
done
for data in records table slots; do
	"$MEMSPY" show --db r.db @1 --data $data --json >$data.json
	"$MEMSPY" show --db r.db @2 --data $data --json >some-$data.json
done
"$MEMSPY" html --db r.db @1 -o page.html
node "$SRC/tests/browser/line-use.js" "file://$PWD/page.html" records.json table.json slots.json
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import os, subprocess
from server import Server

with Server('--db', 'r.db') as s:
    names = ['some-%s.json' % data for data in ('records', 'table', 'slots')]
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/line-use.js', s.address + 'run/2'] + names, timeout=120)
    s.stop()
END
