# The page has the instructions of the hottest functions, with the figures of their sites; a served page asks for them.
"$MEMSPY" run -q --workers 1 --db r.db --l1 16K,4,64 --ll 256K,16,64 "$BUILD/examples/matmul" 100 >/dev/null
"$MEMSPY" html --db r.db -o page.html
sqlite3 -json r.db "select s.offset, sum(c.refs) as refs, sum((select coalesce(sum(first + replaced), 0) from miss m
		where m.run = c.run and m.cell = c.cell and m.level = 0)) as misses
	from site s join line l using (run, line) join code f using (run, code) join cell c on c.run = s.run and c.site = s.site
	where f.name = 'BlkMultiply' group by s.offset" >sites.json
node "$SRC/tests/browser/assembly.js" "file://$PWD/page.html" sites.json BlkMultiply
export MEMSPY
PYTHONPATH=$SRC/tests/cli/serve python3 - <<'END'
import json, os, subprocess
from server import Server
with Server('--db', 'r.db') as s:
    print(subprocess.run(['node', os.environ['SRC'] + '/tests/browser/assembly.js', s.address + 'run/1', 'sites.json', 'BlkMultiply']).returncode)
    print([s.ask('assembly/1/%d.json' % n)[2] for n in (100000,)], s.ask('assembly/2/1.json')[0])
with Server('--db', 'r.db', '--no-source') as s:
    print(s.ask('assembly/1/1.json')[2])
END
# A program that is not there any more, and no sources: none.
sqlite3 r.db "update string set text = '/no/such/program' where text like '%/matmul'"
for option in "" --no-source; do
	"$MEMSPY" html $option --db r.db -o page.html
	python3 - <<'END'
import json, re
data = json.loads(re.search(r'id="data">(.*?)</script>', open('page.html').read(), re.S).group(1))
print([f.get('trouble') for f in data['assembly'] if f['code'] == 0])
END
done
