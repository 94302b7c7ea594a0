# The page of a run of an out-of-order core shows why data costs what it costs; with --cost latency it does not.
db=$("$DBS/make" core)
"$MEMSPY" html --db "$db" -o exposed.html before
"$MEMSPY" html --db "$db" --cost latency -o latency.html before
node "$SRC/tests/browser/out-of-order.js" "file://$PWD/exposed.html" "file://$PWD/latency.html"
