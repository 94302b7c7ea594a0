# Wrong arguments of memspy lines are refused with a message.
db=$("$DBS/make" matmul)
try() { "$MEMSPY" lines --db "$db" "$@"; echo "status $?"; }
try --file nothing.c
try --code nothing
try --code 'z*'
try --context -1
try --json --csv
try @7
try -o /dev/full
try --by code
