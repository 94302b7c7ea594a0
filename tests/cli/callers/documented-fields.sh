# docs/formats/callers-json.md names every field and column, and no other.
db=$("$DBS/make" paths)
"$MEMSPY" callers --db "$db" --json memcpy >callers.json
"$MEMSPY" callers --db "$db" --json >paths.json
for name in memcpy ''; do
	"$MEMSPY" callers --db "$db" --csv $name | head -n 1 | tr -d '\r' | tr , '\n'
done | sort -u >columns
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/callers-json.md" callers.json paths.json --columns columns --any-level
