# The list of runs as text, narrow, limited, as CSV and as JSON; runs of forked children name their parent.
db=$("$DBS/make" matmul)
sqlite3 "$db" "insert into run (id, tag, started, program, frontend, memspy, machine, machine_origin,
	memory_latency, wall_seconds, workers, ended, exit_status, instructions, refs) select 2, null, '2026-11-15T11:00:00Z', 'gzip -9', frontend, memspy, 'host', machine_origin,
	memory_latency, 12.5, workers, 'signaled', 11, 0, 0 from run"
"$MEMSPY" runs --db "$db"
"$MEMSPY" runs --db "$db" --width 40
"$MEMSPY" runs --db "$db" --top 1 --csv
"$MEMSPY" runs --db "$db" --json
# Runs that came out of others.
sqlite3 "$db" "update run set parent = 1, relation = 'fork' where id = 2"
"$MEMSPY" runs --db "$db" | head -n 3
"$MEMSPY" report --db "$db" @2 | head -n 4
"$MEMSPY" runs --db "$db" extra
