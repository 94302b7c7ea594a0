# docs/formats/sharing-json.md names every field and column, and no other.
db=$("$DBS/make" parallel)
"$MEMSPY" sharing --db "$db" --json >sharing.json
"$MEMSPY" sharing --db "$db" --csv | head -n 1 | tr -d '\r' | tr , '\n' >columns
# A sampled run has more.
timeout -s KILL 60 "$MEMSPY" run -q --frontend valgrind --db sampled.db --workers 1 --processors 2 --l1 4K,4,64 --sample 1/10 --window 1K -- "$PROGRAMS/sharing" near 2 >/dev/null 2>&1
"$MEMSPY" sharing --db sampled.db --json >sampled.json
python3 - "$SRC/docs/formats/sharing-json.md" <<'END'
import json, re, sys
fields, columns = open(sys.argv[1]).read().split('## CSV')
keys = set()
def walk(value):
    for key, inner in value.items() if isinstance(value, dict) else []:
        keys.add(key)
        walk(inner)
    for inner in value if isinstance(value, list) else []:
        walk(inner)
walk(json.load(open('sharing.json')))
sampled = json.load(open('sampled.json'))
assert sampled['totals']['intervals']['misses']['low'] <= sampled['totals']['misses'] <= sampled['totals']['intervals']['misses']['high'], sampled['totals']
walk(sampled)
def named(text):
    cells = [row.split('|')[1] for row in text.splitlines() if row.startswith('| `')]
    return {part for cell in cells for name in re.findall('`([^`]+)`', cell) for part in re.findall(r'\w+', name)}
print('fields', sorted(keys ^ named(fields)))
print('columns', sorted(set(open('columns').read().split()) ^ named(columns)))
END
