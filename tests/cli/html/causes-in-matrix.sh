# The matrix has figures by capacity and conflict, and shows the main cause of each cell; system libraries can be hidden.
"$MEMSPY" run -q --workers 1 --db r.db --exact-3c --l1 4K,1,64 --ll 64K,4,64 "$BUILD/examples/matmul" 60 >/dev/null
"$MEMSPY" html --db r.db -o page.html
"$MEMSPY" report --db r.db --json -o report.json
"$MEMSPY" advise --db r.db --json -o advise.json
node "$SRC/tests/browser/causes.js" "file://$PWD/page.html" report.json advise.json
