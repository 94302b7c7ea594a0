# docs/formats/lines-json.md names every field and column, and no other.
"$MEMSPY" run -q --l1 32K,8,64 --db lines.db "$PROGRAMS/line-use" >/dev/null
"$MEMSPY" lines --db "$("$DBS/make" matmul)" --json >matmul.json
"$MEMSPY" lines --db "$("$DBS/make" paths)" --json >paths.json
"$MEMSPY" lines --db lines.db --json >lines.json
for db in lines.db "$("$DBS/make" matmul)"; do
	"$MEMSPY" lines --db "$db" --csv | head -n 1 | tr -d '\r' | tr , '\n'
done | sort -u >columns
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/lines-json.md" matmul.json paths.json lines.json --columns columns --any-level
