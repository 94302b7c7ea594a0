# The page of a large run fetches its parts, and the details of code and data, when they are shown.
export MEMSPY MEMSPY_GROUP=none # each data structure has a row
db=$("$DBS/make" matmul)
sqlite3 -bail "$db" <"$SRC/tests/browser/large.sql"
PYTHONPATH=$SRC/tests/cli/serve python3 - "$db" <<'END'
import os, subprocess, sys
from server import Server

with Server('--db', sys.argv[1]) as s:
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/parts.js', s.address], timeout=300)
    print(s.stop()[0])
END
