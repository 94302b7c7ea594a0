# Runs are selected by their properties; tags and notes are added, changed and removed.
db=$("$DBS/make" matmul)
sqlite3 "$db" "insert into run (tag, started, program, frontend, memspy, machine, machine_origin, memory_latency,
	wall_seconds, workers, ended, exit_status, instructions, refs, uid, build_id, git_commit, git_dirty, host, note)
	values (null, '2026-11-16T08:00:00Z', '/opt/bin/gzip', 'native', '0.1.0', 'host', 'x', 100, 1, 1, 'exited', 0, 9, 9,
	'a', 'beef01', '1f3a9c2d00', 1, 'lab (fast)', 'two' || char(10) || char(27) || '[31mlines')"
runs() {
	"$MEMSPY" runs --db "$db" "$@" | sed -n '/^ *@/s/^ *\(@[0-9]*\).*/\1/p' | paste -sd' '
}
runs
runs --program gz*
runs --program '*matmul*'
runs --tagged ba*
runs --on host
runs --host lab*
runs --via native
runs --build-id beef
runs --commit 1f3a
runs --noted LINES
runs --since 2026-11-16
runs --until 2026-11-15 --program matmul
"$MEMSPY" runs --db "$db" --program nothing
"$MEMSPY" runs --db "$db" --since yesterday || echo "status $?"
# What a note holds cannot steer a terminal.
"$MEMSPY" runs --db "$db" --width 150
"$MEMSPY" note --db "$db" @2
"$MEMSPY" note --db "$db" @2 padded the "rows of Y" && "$MEMSPY" note --db "$db" 2
"$MEMSPY" note --db "$db" --append @2 twice && "$MEMSPY" note --db "$db"
"$MEMSPY" note --db "$db" --clear @2 && "$MEMSPY" note --db "$db" @2
"$MEMSPY" note --db "$db" --clear || echo "status $?"
"$MEMSPY" note --db "$db" @7 x || echo "status $?"
"$MEMSPY" tag --db "$db" @2 new better new
"$MEMSPY" runs --db "$db" --tagged better --json | grep -o '"tags": [^]]*]'
"$MEMSPY" report --db "$db" @better --json | grep -E '"(tags|note|build_id|git_dirty|environment)"'
"$MEMSPY" tag --db "$db" --remove @better new
"$MEMSPY" runs --db "$db" --csv | cut -d, -f2,17 | tr -d '\r'
"$MEMSPY" tag --db "$db" --remove @better
runs --tagged '*'
for tag in 7 latest @x a,b a..b; do
	"$MEMSPY" tag --db "$db" @2 $tag || echo "status $?"
done
"$MEMSPY" tag --db "$db" @2 || echo "status $?"
