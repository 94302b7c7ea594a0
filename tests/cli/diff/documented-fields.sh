# docs/formats/diff-json.md names every field and column, and no other.
db=$("$DBS/make" matmul)
"$MEMSPY" diff --db "$db" 1 1 --json >diff.json
"$MEMSPY" diff --db "$("$DBS/make" core)" 1 2 --json >timed.json
"$MEMSPY" diff --db "$("$DBS/make" joined)" 1 1 --json >joined.json
for by in bin line cause; do
	"$MEMSPY" diff --db "$db" 1 1 --by $by --csv | head -n 1 | tr -d '\r' | tr , '\n'
done >columns
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/diff-json.md" diff.json timed.json joined.json --columns columns --omit L2_misses
