# docs/formats/pmu-json.md names every field and column, and no other.
db=$("$DBS/make" pmu)
"$MEMSPY" pmu --db "$db" --json >pmu.json
"$MEMSPY" pmu --db "$db" --csv | head -n 1 | tr -d '\r' | tr , '\n' >columns
python3 - "$SRC/docs/formats/pmu-json.md" <<'END'
import json, re, sys
fields, columns = open(sys.argv[1]).read().split('## CSV')
keys = set()
def walk(value):
    for key, inner in value.items() if isinstance(value, dict) else []:
        keys.add(key)
        walk(inner)
    for inner in value if isinstance(value, list) else []:
        walk(inner)
walk(json.load(open('pmu.json')))
def named(text):
    cells = [row.split('|')[1] for row in text.splitlines() if row.startswith('| `')]
    return {part for cell in cells for name in re.findall('`([^`]+)`', cell) for part in re.findall(r'\w+', name)}
print('fields', sorted(keys ^ named(fields)))
print('columns', sorted(set(open('columns').read().split()) ^ named(columns)))
END
