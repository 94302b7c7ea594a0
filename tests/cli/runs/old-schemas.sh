# Databases of every earlier version are refused for reading, with the remedy, and migrated by the next run without any loss.
# (tests/dbs/version-*.sql never change.)
"$DBS/make" matmul >/dev/null
columns='select s.name, c.name, c.type, c.dflt_value from sqlite_schema s, pragma_table_info(s.name) c
	where s.type in ("table", "view") and s.name not like "sqlite_%" order by s.name, c.name'
reports() {
	{
		"$MEMSPY" report --db "$1.db" @1 | sed 's/ --db.*//'
		"$MEMSPY" report --db "$1.db" @1 --json
	} >"$1.report"
	sqlite3 "$1.db" "$columns" >"$1.columns"
}
reports matmul
for version in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33; do
	db=$("$DBS/make" version-$version)
	"$MEMSPY" report --db "$db" 2>&1 | cut -c1-70
	"$MEMSPY" run -q --db "$db" --l1 32K,8,64 true || echo "run: status $?"
	sqlite3 "$db" 'pragma user_version; pragma integrity_check; pragma foreign_key_check'
	"$MEMSPY" runs --db "$db" --csv | cut -d, -f1,2,4,12,15,16 | tr -d '\r' | sed '/^2/s/,[0-9]*,,$/,N,,/'
	reports version-$version
	sqlite3 "$db" "select count(distinct uid), min(length(uid)) from run"
	diff version-$version.report matmul.report && echo "the same report"
	[ $version -lt 24 ] || sqlite3 "$db" "select * from member_stay where run = 1"
	diff version-$version.columns matmul.columns && echo "the same columns"
done
# Curves of misses get the bounds that they lack.
rm version-33.db
db=$("$DBS/make" version-33)
sqlite3 "$db" "insert into miss_curve (run, data, size_bits, misses, variance) values (1, 0, 12, 1000, 25)"
"$MEMSPY" run -q --db "$db" --l1 32K,8,64 true
sqlite3 "$db" "select size_bits, misses, variance, least, most from miss_curve where run = 1"
rm version-33.db
# Without a run: the command that the refusal names.
rm version-1.db
db=$("$DBS/make" version-1)
"$MEMSPY" runs upgrade --db "$db"
"$MEMSPY" runs --db "$db" | head -n 2
"$MEMSPY" runs upgrade --db none.db || echo "status $?"
[ ! -e none.db ] || echo "none.db was made"
