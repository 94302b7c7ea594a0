# Wrong arguments of memspy threads are refused with a message.
db=$("$DBS/make" parallel)
try() { "$MEMSPY" threads --db "$db" "$@"; echo "status $?"; }
try --by data
try --sort nothing
try --by processor --sort wait_cycles
try --json --csv
try --processor 4
try @7
try -o /dev/full
