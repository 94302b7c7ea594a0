# Threads are lanes over time, and lanes of processors name them.
"$MEMSPY" run -q --workers 1 --processors 2 --db r.db "$PROGRAMS/member-threads" >/dev/null
"$MEMSPY" html --db r.db -o page.html
"$MEMSPY" threads --db r.db --json -o threads.json
node "$SRC/tests/browser/thread-lanes.js" "file://$PWD/page.html" threads.json
