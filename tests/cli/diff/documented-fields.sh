# docs/formats/diff-json.md names every field and column, and no other.
db=$("$DBS/make" matmul)
"$MEMSPY" diff --db "$db" 1 1 --json >diff.json
for by in bin line cause; do
	"$MEMSPY" diff --db "$db" 1 1 --by $by --csv | head -n 1 | tr -d '\r' | tr , '\n'
done >columns
python3 - "$SRC/docs/formats/diff-json.md" <<'EOF'
import json, re, sys
doc = open(sys.argv[1]).read()
fields, columns = doc.split('## CSV')
keys = set()
def walk(value):
    for key, inner in value.items() if isinstance(value, dict) else []:
        keys.add(key)
        walk(inner)
    for inner in value if isinstance(value, list) else []:
        walk(inner)
walk(json.load(open('diff.json')))
keys.discard('L2_misses')
def named(text):
    cells = [row.split('|')[1] for row in text.splitlines() if row.startswith('| `')]
    return {part for cell in cells for name in re.findall('`([^`]+)`', cell) for part in re.findall(r'\w+', name)}
print('fields', sorted(keys ^ named(fields)))
print('columns', sorted(set(open('columns').read().split()) ^ named(columns)))
EOF
