db=$("$DBS/make" matmul)
sqlite3 "$db" "insert into run select 2, null, '2026-11-15T11:00:00Z', 'gzip -9', frontend, memspy, 'host', machine_origin,
	memory_latency, 12.5, workers, 'signaled', 11, 0, 0 from run"
"$MEMSPY" runs --db "$db"
"$MEMSPY" runs --db "$db" --top 1 --csv
"$MEMSPY" runs --db "$db" --json
"$MEMSPY" runs --db "$db" extra
