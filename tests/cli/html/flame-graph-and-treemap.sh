# The flame graph has the call paths of report --by path; without them, functions and their data. The treemap has all data.
db=$("$DBS/make" paths)
sqlite3 "$db" "update data set peak_bytes = 8 << 20 where kind = 'stack'" # larger than all data, and waits for nothing
"$MEMSPY" html --db "$db" -o paths.html
"$MEMSPY" report --db "$db" --by path --json -o paths.json
"$MEMSPY" html --db "$("$DBS/make" matmul)" -o plain.html
node "$SRC/tests/browser/flame.js" "file://$PWD/paths.html" "file://$PWD/plain.html" paths.json
