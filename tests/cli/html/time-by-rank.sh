# The part Ranks of the page has the time of each rank of a job, of a few and of 400; runs that are not merged have no such part.
for ranks in 40 400; do
	mkdir job-$ranks
	"$BUILD/bench/ranks" job-$ranks $ranks 60
	[ $ranks = 400 ] || rm job-$ranks/7.db
	[ $ranks = 400 ] || echo damaged >job-$ranks/9.db
	"$MEMSPY" merge -q job-$ranks -o $ranks.db 2>/dev/null
	"$MEMSPY" html --db $ranks.db -o $ranks.html
	"$MEMSPY" ranks --db $ranks.db --json -o $ranks.json
	sqlite3 -json $ranks.db "select d.rank, name, stall from rank_data d join data using (run, data)
		order by sum(stall) over (partition by data) desc, d.rank" >$ranks-data.json
	node "$SRC/tests/browser/ranks.js" "file://$PWD/$ranks.html" $ranks.json $ranks-data.json
done
"$MEMSPY" html --db "$("$DBS/make" matmul)" -o other.html
python3 - <<'END'
import re, json
tables = json.loads(re.search(r'id="data">(.*?)</script>', open('other.html').read(), re.S)[1])['tables']
print({name: len(tables[name]['rows']) for name in tables if name.startswith('rank')})
END
