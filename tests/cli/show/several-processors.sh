# A run of several processors: which code invalidated the lines, and the misses of each processor.
db=$("$DBS/make" parallel)
"$MEMSPY" show --db "$db" --data Queue.q --code take
"$MEMSPY" show --db "$db" --data double.x | sed -n '/^L1 misses,/,/^Upgrades/p'
"$MEMSPY" show --db "$db" --data counters --json | grep -A6 '"invalidated_by"'
"$MEMSPY" show --db "$db" --by processor --code sum --csv | cut -d, -f1-5,34
