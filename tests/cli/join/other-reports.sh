# Comparisons of joined runs use measured time and its intervals; evictions, sharing and threads the simulation.
db=$("$DBS/make" joined)
"$MEMSPY" compare-sources --db "$db" joined timer
"$MEMSPY" compare-sources --db "$db" before joined | head -n 8
# Half of the samples: half of the time, and the difference is no noise.
sqlite3 "$db" 'update hardware_sample set samples = samples / 2, events = events / 2, latency = latency / 2, latency_squares = latency_squares / 2 where run = 1'
sqlite3 "$db" 'update hardware_compute set samples = samples / 2, time = time / 2, time_squares = time_squares / 2 where run = 1'
sqlite3 "$db" 'update hardware set samples = 675 where run = 1'
"$MEMSPY" join -q --db "$db" before timer --tag both
"$MEMSPY" diff --db "$db" both joined
"$MEMSPY" diff --db "$db" both before | head -n 8
"$MEMSPY" diff --db "$db" both joined --json | grep -A 8 '"speedup"'
for command in evictions threads; do
	"$MEMSPY" $command --db "$db" joined | sed '/^Run:/d;/^Next:/d' >joined.txt
	"$MEMSPY" $command --db "$db" before | sed '/^Run:/d;/^Next:/d' >before.txt
	diff before.txt joined.txt
done
"$MEMSPY" pmu --db "$db" joined 2>&1
"$MEMSPY" export callgrind --db "$db" joined | grep -m 3 '^event: Stall\|^summary\|^totals'
# Without a clock, measured time is in nanoseconds; runs with different clocks are compared in that unit.
sqlite3 "$db" "update run set clock_mhz = 0 where id = 1"
"$MEMSPY" show --db "$db" joined --data Matrix.Z | grep -A 1 'time in\|^Memory stall time ('
"$MEMSPY" diff --db "$db" both joined | grep '^Speedup\|^nanoseconds\|^memory stall in'
"$MEMSPY" diff --db "$db" timer joined | grep '^Verdict\|^Note'
# Long names wrap below the first.
sqlite3 "$db" "update data set name = name || ', a matrix whose name is longer than a line' where run = 1 and name like 'Matrix%'"
"$MEMSPY" report --db "$db" joined --width 80 | sed -n '/^Differs/,/^$/p'
