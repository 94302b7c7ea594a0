# Wrong arguments of memspy pmu are refused with a message.
db=$("$DBS/make" pmu)
try() { "$MEMSPY" pmu --db "$db" "$@"; echo "status $?"; }
try --monitor 5
try --monitor 0
try --data nothing
try --json --csv
try @9
try @1 @2
db=$("$DBS/make" matmul)
try --monitor 1
