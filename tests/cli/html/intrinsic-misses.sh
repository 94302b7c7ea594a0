# The details of a data structure in the page have the intrinsic misses of show --json.
"$MEMSPY" run -q --db r.db --observed-lines all --l1 32K,8,64 --ll 1M,16,64 "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" html --db r.db -o page.html
for data in records table slots; do
	"$MEMSPY" show --db r.db --data $data --json >$data.json
done
node "$SRC/tests/browser/intrinsic.js" "file://$PWD/page.html" records.json table.json slots.json
