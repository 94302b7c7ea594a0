# The page shows the run over time; a range of time that is marked restricts the matrix and the lists to it.
"$DBS/make" matmul >/dev/null
"$MEMSPY" html --db matmul.db -o page.html >/dev/null
node "$SRC/tests/browser/over-time.js" "file://$PWD/page.html"
