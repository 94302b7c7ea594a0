# docs/formats/lines-json.md names every field and column, and no other.
db=$("$DBS/make" matmul)
"$MEMSPY" lines --db "$db" --json >lines.json
"$MEMSPY" lines --db "$("$DBS/make" paths)" --json >paths.json
"$MEMSPY" lines --db "$db" --csv | head -n 1 | tr -d '\r' | tr , '\n' >columns
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/lines-json.md" lines.json paths.json --columns columns --any-level
