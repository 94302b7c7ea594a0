# The flame graph has the call paths of report --by path; without them, functions and their data. The treemap has all data.
db=$("$DBS/make" paths)
sqlite3 "$db" "update data set peak_bytes = 8 << 20 where kind = 'stack'" # larger than all data, and waits for nothing
sqlite3 "$db" "update data set name = '<allocator>', full_name = '<allocator>', peak_bytes = 4 << 20 where name = 'counter'" # contains the heap
"$MEMSPY" html --db "$db" -o paths.html
"$MEMSPY" report --db "$db" --by path --json -o paths.json
"$MEMSPY" html --db "$("$DBS/make" matmul)" -o plain.html
sqlite3 "$db" "update miss set first = 0, replaced = 0 where level = 1"
"$MEMSPY" html --db "$db" -o inner.html
node "$SRC/tests/browser/flame.js" "file://$PWD/paths.html" "file://$PWD/plain.html" paths.json "file://$PWD/inner.html"
