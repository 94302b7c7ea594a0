# A database of the first version: refused for reading, with the remedy; brought up to date by the next
# run, and nothing in it is lost. (tests/dbs/version-1.sql never changes.)
db=$("$DBS/make" version-1)
"$MEMSPY" report --db "$db" 2>&1 | cut -c1-70
"$MEMSPY" run -q --db "$db" --l1 32K,8,64 true || echo "run: status $?"
sqlite3 "$db" 'pragma user_version; pragma integrity_check; pragma foreign_key_check'
"$MEMSPY" runs --db "$db" --csv | cut -d, -f1,2,4,12,15- | tr -d '\r' | sed '/^2/s/,[0-9]*,,$/,N,,/'
"$MEMSPY" report --db "$db" @1 >after.txt
"$DBS/make" matmul >/dev/null
"$MEMSPY" report --db matmul.db @1 >fresh.txt
diff <(sed 's/ --db.*//' after.txt) <(sed 's/ --db.*//' fresh.txt) && echo "the same report"
