# A reader's way through the report, in a real browser, compared with report --json and show --json.
db=$("$DBS/make" matmul)
"$MEMSPY" html --db "$db" -o page.html
"$MEMSPY" report --db "$db" --json -o report.json
"$MEMSPY" show --db "$db" --json -o show.json
node "$SRC/tests/browser/report.js" "file://$PWD/page.html" report.json show.json
