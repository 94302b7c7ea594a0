# The page of a run with 5,000 functions, 5,000 data structures and 100,000 bins stays usable.
db=$("$DBS/make" matmul)
sqlite3 -bail "$db" <"$SRC/tests/browser/large.sql"
export MEMSPY_GROUP=none # each data structure has a row
"$MEMSPY" html --db "$db" -o page.html @2
# Compressed it can be mailed, and holds what a served page has as text.
[ "$(stat -c %s page.html)" -lt 3000000 ] && echo below 3 MB
export MEMSPY
PYTHONPATH=$SRC/tests/cli/serve python3 - "$db" <<'END'
import base64, json, re, sys, zlib
from server import Server
packed = re.search(r'type="application/zlib" id="data">(.*?)</script>', open('page.html', encoding='utf-8').read()).group(1)
with Server('--db', sys.argv[1]) as s:
    whole, served = json.loads(zlib.decompress(base64.b64decode(packed, validate=True))), s.data('run/2')
    print('instructions are asked for', len(whole.pop('assembly')) > 0, served.pop('assembly'))
    print('as served', whole == served)
END
node "$SRC/tests/browser/large.js" "file://$PWD/page.html"
