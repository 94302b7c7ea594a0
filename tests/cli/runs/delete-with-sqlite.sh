# A run can be deleted with SQLite alone: no row of it remains, and its number is not used again.
db=$("$DBS/make" matmul)
sqlite3 "$db" 'pragma foreign_keys = on; delete from run where id = 1;
	select count(*) from argument; select count(*) from cell; select count(*) from miss; select count(*) from frame;
	select seq from sqlite_sequence'
"$MEMSPY" runs --db "$db"
"$MEMSPY" report --db "$db"
