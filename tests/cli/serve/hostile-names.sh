# Names that contain markup, scripts or changes of the writing direction are text in all served pages: runs, a run, a
# comparison, rules, and a running program.
export MEMSPY
db=$("$DBS/make" matmul)
sqlite3 "$db" <<'SQL'
update data set name = '<script>window.broken=1</script>' where data = 0;
update data set name = 'a' || char(0x202e) || '"''><img src=x onerror=window.broken=2>' where data = 1;
update code set name = '</script><script>window.broken=3</script>' || char(0x202e) where code = 0;
update run set program = '<script>window.broken=4</script>', machine = '<b class=evil>' || char(0x202e);
update argument set text = '<script>window.broken=5</script>' || char(0x202e);
SQL
"$MEMSPY" rename --db "$db" '<stack>' "x<img src=x onerror=window.broken=6><script>"$'\u202e' >/dev/null
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import os, subprocess
from server import Server

live = 'matmul.db-live-%d' % os.getpid()
with open(live, 'w') as f:
    f.write('memspy-live 1\npid %d\nstarted 2026-11-15T10:31:02Z\nmachine <b class=evil>\nword <script>window.broken=7</script>\u202e\nat 1 2 3\n' % os.getpid())
os.link('matmul.db', live + '.run')
with Server('--db', 'matmul.db') as s:
    subprocess.run(['node', os.environ['SRC'] + '/tests/browser/served-hostile.js', s.address, '', 'run/1', 'run/1#matrix', 'run/1#data/0', 'diff/1/1', 'rules', 'live/%d' % os.getpid()], timeout=200)
    print(s.stop()[0])
END
