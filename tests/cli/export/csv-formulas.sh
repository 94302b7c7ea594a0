# Names that a spreadsheet would run as formulas, or that contain control characters, are harmless text in CSV.
db=$("$DBS/make" matmul)
sqlite3 "$db" "update data set name = '=cmd|''/C calc''!A0' where name = 'Matrix.Y';
	update code set name = '@SUM(A1,A2)' where name = 'main';
	update data set name = 'a' || char(27) || '[31m' || char(10) || 'b' where name = 'Matrix.X'"
"$MEMSPY" export csv --db "$db" | tr -d '\r' | grep -o "'=cmd|'/C calc'!A0\|\"'@SUM(A1\|a.x1b.31m.nb" | sort -u
"$MEMSPY" report --csv --db "$db" | LC_ALL=C grep -c "$(printf '[\001-\011\013\014\016-\037]\|^=\|,=\|,@\|^@')"
