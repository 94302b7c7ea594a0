# docs/formats/advise-json.md names every field and column, and no other.
db=$("$DBS/make" core)
"$MEMSPY" advise --db "$db" --json >advise.json
"$MEMSPY" advise --db "$db" --csv | head -n 1 | tr -d '\r' | tr , '\n' >columns
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/advise-json.md" advise.json --columns columns
