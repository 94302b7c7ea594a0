# Lines are selected by data structure, code and address, with all accesses to them.
db=$("$DBS/make" parallel)
lines() { "$MEMSPY" sharing --db "$db" "$@" | sed -n 's/ (.*//; /^[0-9]*\. Line/p; /^Misses b/p'; }
lines --data counters
lines --code take
lines --line 0x404048
lines --line 5000040 --line 404040
lines --line 0x404080
lines --code count --data Queue.q
# One processor: nothing is shared, and what to do.
"$MEMSPY" sharing --db "$("$DBS/make" matmul)"
"$MEMSPY" sharing --db matmul.db --json | tail -n 5
