# Evictions of a sampled run have intervals in text and CSV, as in JSON.
db=$("$DBS/make" windows)
sqlite3 "$db" "insert into replacement (run, cell, level, victims) select 1, cell, level, json_object('0', 5000, '2', 40)
	from miss where run = 1 and level = 0 and cell in (select cell from cell where run = 1 order by cell limit 2)"
"$MEMSPY" evictions --db "$db" --width 120 | sed -n '/^EVICTIONS$/,/^A miss/p;/^EVICTIONS BY SOURCE/,/^$/p'
"$MEMSPY" evictions --db "$db" --csv
