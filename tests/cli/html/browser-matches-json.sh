# A walk through all parts of the page in a real browser: its figures are those of report --json and show --json.
db=$("$DBS/make" matmul)
"$MEMSPY" html --db "$db" -o page.html
"$MEMSPY" report --db "$db" --json -o report.json
"$MEMSPY" show --db "$db" --json -o show.json
node "$SRC/tests/browser/report.js" "file://$PWD/page.html" report.json show.json
