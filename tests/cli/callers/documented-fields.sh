# docs/formats/callers-json.md names every field and column, and no other.
db=$("$DBS/make" paths)
"$MEMSPY" callers --db "$db" --json memcpy >callers.json
"$MEMSPY" callers --db "$db" --json >paths.json
for name in memcpy ''; do
	"$MEMSPY" callers --db "$db" --csv $name | head -n 1 | tr -d '\r' | tr , '\n'
done | sort -u >columns
# A run of the timer has times.
db=$("$DBS/make" hardware)
run=$(sqlite3 "$db" "select id from run where tag = 'timer'")
sqlite3 "$db" "insert into path values ($run, 0, null, null, 'root'), ($run, 1, null, null, 'other');
	insert into path_miss select s.run, 0, site.line, cell.data, 0, sum(s.latency) from hardware_sample s
		join cell on cell.run = s.run and cell.cell = s.cell join site on site.run = s.run and site.site = cell.site
		where s.run = $run and s.latency > 0 group by site.line, cell.data"
for name in smvp ''; do
	"$MEMSPY" callers --db "$db" --json $name timer >"timed-$name.json"
	"$MEMSPY" callers --db "$db" --csv $name timer | head -n 1 | tr -d '\r' | tr , '\n'
done | sort -u >>columns
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/callers-json.md" callers.json paths.json timed-*.json --columns columns --any-level
