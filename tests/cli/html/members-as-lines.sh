# The page draws the members of a data structure as rows of cache lines, as memspy fields has them.
"$MEMSPY" run -q --observed-lines all --db r.db --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" html --db r.db -o page.html
"$MEMSPY" fields --db r.db slots --json -o fields.json
node "$SRC/tests/browser/layout.js" "file://$PWD/page.html" fields.json slot.slots
