# Wrong arguments of memspy sharing are refused with a message.
db=$("$DBS/make" parallel)
try() { "$MEMSPY" sharing --db "$db" "$@"; echo "status $?"; }
try --line somewhere
try --line -5
try --line 0x10000000000000000
try --data nothing
try --code nothing
try --json --csv
try --latency near=1
try @7
try -o /dev/full
