# A database of the first version: refused for reading, with the remedy; brought up to date by the next
# run, and nothing in it is lost. (tests/dbs/version-1.sql never changes.)
db=$("$DBS/make" version-1)
"$MEMSPY" report --db "$db" 2>&1 | cut -c1-70
"$MEMSPY" run -q --db "$db" --l1 32K,8,64 true || echo "run: status $?"
sqlite3 "$db" 'pragma user_version; pragma integrity_check; pragma foreign_key_check'
"$MEMSPY" runs --db "$db" --csv | cut -d, -f1,2,4,12,15- | tr -d '\r' | sed '/^2/s/,[0-9]*,,$/,N,,/'
"$DBS/make" matmul >/dev/null
columns='select s.name, c.name, c.type, c.dflt_value from sqlite_schema s, pragma_table_info(s.name) c
	where s.type in ("table", "view") and s.name not like "sqlite_%" order by s.name, c.name'
for made in version-1 matmul; do
	{
		"$MEMSPY" report --db "$made.db" @1 | sed 's/ --db.*//'
		"$MEMSPY" report --db "$made.db" @1 --json
	} >"$made.report"
	sqlite3 "$made.db" "$columns" >"$made.columns"
done
diff version-1.report matmul.report && echo "the same report"
diff version-1.columns matmul.columns && echo "the same columns"
