# The page of a sampled run: intervals wherever a figure has one, as report, lines and show --json have them.
timeout -s KILL 120 "$MEMSPY" run -q --db runs.db --frontend valgrind --workers 1 --l1 4K,2,64 --ll 64K,4,64 --sample 1/10 --window 5K \
	-- "$BUILD/examples/matmul" 100 >/dev/null
"$MEMSPY" html --db runs.db -o page.html
"$MEMSPY" report --db runs.db --json -o report.json
"$MEMSPY" lines --db runs.db --json --top 250 -o lines.json
"$MEMSPY" show --db runs.db --json -o show.json
node "$SRC/tests/browser/sampled.js" "file://$PWD/page.html" report.json lines.json show.json
