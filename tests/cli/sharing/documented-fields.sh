# docs/formats/sharing-json.md names every field and column, and no other.
db=$("$DBS/make" parallel)
"$MEMSPY" sharing --db "$db" --json >sharing.json
"$MEMSPY" sharing --db "$db" --csv | head -n 1 | tr -d '\r' | tr , '\n' >columns
# A sampled run has more.
timeout -s KILL 60 "$MEMSPY" run -q --frontend valgrind --db sampled.db --workers 1 --processors 2 --l1 4K,4,64 --sample 1/10 --window 1K -- "$PROGRAMS/sharing" near 2 >/dev/null 2>&1
"$MEMSPY" sharing --db sampled.db --json >sampled.json
python3 "$SRC/tests/cli/documented-fields.py" "$SRC/docs/formats/sharing-json.md" sharing.json sampled.json --columns columns
python3 - <<'END'
import json
totals = json.load(open('sampled.json'))['totals']
assert totals['intervals']['misses']['low'] <= totals['misses'] <= totals['intervals']['misses']['high'], totals
END
