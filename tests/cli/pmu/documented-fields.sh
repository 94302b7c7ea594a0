# docs/formats/pmu-json.md names every field and column, and no other.
db=$("$DBS/make" pmu)
"$MEMSPY" pmu --db "$db" --json >pmu.json
"$MEMSPY" pmu --db "$db" --csv | head -n 1 | tr -d '\r' | tr , '\n' >columns
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/pmu-json.md" pmu.json --columns columns
