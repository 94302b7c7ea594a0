# docs/formats/threads-json.md names every field, and no other; CSV has the same ones.
db=$("$DBS/make" parallel)
"$MEMSPY" threads --db "$db" --json >threads.json
"$MEMSPY" threads --db "$("$DBS/make" windows)" --json >sampled.json
for by in thread code processor; do
	"$MEMSPY" threads --db "$db" --csv --by $by | head -n 1 | tr -d '\r' >$by.csv
done
python3 - "$SRC/docs/formats/threads-json.md" <<'END'
import json, re, sys
doc = open(sys.argv[1]).read()
keys = set()
def walk(value):
    for key, inner in value.items() if isinstance(value, dict) else []:
        keys.add(key)
        walk(inner)
    for inner in value if isinstance(value, list) else []:
        walk(inner)
whole = json.load(open('threads.json'))
walk(whole)
walk(json.load(open('sampled.json')))
cells = [row.split('|')[1] for row in doc.splitlines() if row.startswith('| `')]
named = {part for cell in cells for name in re.findall('`([^`]+)`', cell) for part in re.findall(r'\w+', name)}
print('fields', sorted(keys ^ named))
for by, key in (('thread', 'threads'), ('code', 'code'), ('processor', 'processors')):
    print(by, open(by + '.csv').read().strip().split(',') == list(whole[key][0]))
END
