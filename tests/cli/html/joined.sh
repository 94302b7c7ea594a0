# The page of a joined run shows measured time, its simulated causes and where they disagree; with --cost exposed the estimate.
db=$("$DBS/make" joined)
"$MEMSPY" html --db "$db" -o measured.html joined
"$MEMSPY" html --db "$db" --cost exposed -o estimated.html joined
node "$SRC/tests/browser/joined.js" "file://$PWD/measured.html" "file://$PWD/estimated.html"
