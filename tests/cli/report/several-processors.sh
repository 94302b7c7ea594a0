# A run of several processors: invalidation misses by true and false sharing, the sources of transfers, and each processor.
db=$("$DBS/make" parallel)
"$MEMSPY" report --db "$db"
"$MEMSPY" report --db "$db" --by data --width 170 | sed -n '/^BY/,/^$/p'
"$MEMSPY" report --db "$db" --by processor --sort L1_false_sharing --width 60 | sed -n '/^BY/,/^$/p'
"$MEMSPY" report --db "$db" --by processor --csv
# Cycles are made when it is reported.
"$MEMSPY" report --db "$db" --latency peer=0,Remote=100 | sed -n '/^Machine/,/^ *Compute/p'
"$MEMSPY" report --db "$db" --latency near=3 2>&1 || true
