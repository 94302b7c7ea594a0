# The page is the same in Firefox: every part, keys and addresses, the flame graph, time, members, source and looks.
export BROWSER=firefox
"$MEMSPY" html --db "$("$DBS/make" matmul)" -o matmul.html
"$MEMSPY" html --db "$("$DBS/make" parallel)" -o parallel.html
db=$("$DBS/make" paths)
sqlite3 "$db" "update data set peak_bytes = 8 << 20 where kind = 'stack'"
sqlite3 "$db" "update data set name = '<allocator>', full_name = '<allocator>', peak_bytes = 4 << 20 where name = 'counter'"
"$MEMSPY" html --db "$db" -o paths.html
"$MEMSPY" report --db paths.db --by path --json -o paths.json
sqlite3 "$db" "update miss set first = 0, replaced = 0 where level = 1"
"$MEMSPY" html --db "$db" -o inner.html
tests=$SRC/tests/browser
page=file://$PWD/matmul.html
node "$tests/all-parts.js" "$page" >parts && tail -1 parts
node "$tests/find.js" "$page"
node "$tests/flame.js" "file://$PWD/paths.html" "$page" paths.json "file://$PWD/inner.html"
node "$tests/over-time.js" "$page"
node "$tests/looks.js" "file://$PWD/parallel.html"
