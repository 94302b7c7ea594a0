# Every error names the file, what was found, and what to do.
db=$("$DBS/make" matmul)
try() { "$MEMSPY" "$@"; echo "status $?"; }
try report
try report --db "$db" @7
try report --db "$db" @1 @2
try report --db "$db" --json --csv
try report --db "$db" --by code --sort zap
try report --db "$db" --latency L1=3
for value in nan inf 1e3 -1 1000001 99999999999999999999 ''; do
	try report --db "$db" --latency "L2=$value"
done
try report --db "$db" --by nonsense
echo "just a text, long enough for a header of a database, or so it seems to be, and then some more of it" >text.db
try report --db text.db
sqlite3 other.db 'create table t (x)'
try report --db other.db
sqlite3 "$db" 'pragma user_version = 1000'
try report --db "$db"
