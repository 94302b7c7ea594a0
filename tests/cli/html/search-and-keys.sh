# What is meant is found by name and by keys alone, and its address names it.
db=$("$DBS/make" matmul)
"$MEMSPY" html --db "$db" -o page.html
node "$SRC/tests/browser/find.js" "file://$PWD/page.html"
