# The flame graph has the call paths of report --by path; without them, functions and their data. The treemap has all data.
db=$("$DBS/make" paths)
"$MEMSPY" html --db "$db" -o paths.html
"$MEMSPY" report --db "$db" --by path --json -o paths.json
"$MEMSPY" html --db "$("$DBS/make" matmul)" -o plain.html
node "$SRC/tests/browser/flame.js" "file://$PWD/paths.html" "file://$PWD/plain.html" paths.json
