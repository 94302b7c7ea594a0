# Wrong arguments and files that cannot be written are refused with a message.
try() { "$MEMSPY" html "$@"; echo "status $?"; }
try
db=$("$DBS/make" matmul)
try --db "$db" @7
try --db "$db" @1 @2
try --db "$db" -o missing/folder.html
try --db "$db" --latency L1=3
try --db "$db" -o /dev/full
ls
