# -o writes a file; full disks are reported; a closed pipe is not.
db=$("$DBS/make" matmul)
"$MEMSPY" report --db "$db" -o file && head -n 1 file
"$MEMSPY" report --db "$db" >/dev/full; echo "status $?"
"$MEMSPY" report --db "$db" -o /dev/full; echo "status $?"
"$MEMSPY" report --db "$db" -o /no/such/file; echo "status $?"
"$MEMSPY" report --db "$db" --json | head -n 1
(trap '' PIPE; "$MEMSPY" report --db "$db" --json; echo "status $?" >status) | true
cat status
