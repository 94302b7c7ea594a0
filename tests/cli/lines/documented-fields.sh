# docs/formats/lines-json.md names every field and column, and no other.
db=$("$DBS/make" matmul)
"$MEMSPY" lines --db "$db" --json >lines.json
"$MEMSPY" lines --db "$db" --csv | head -n 1 | tr -d '\r' | tr , '\n' >columns
python3 - "$SRC/docs/formats/lines-json.md" <<'EOF'
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
walk(json.load(open('lines.json')))
def named(text):
    cells = [row.split('|')[1] for row in text.splitlines() if row.startswith('| `')]
    return {part for cell in cells for name in re.findall('`([^`]+)`', cell) for part in re.findall(r'\w+', name)}
print('fields', sorted(keys ^ named(fields)))
csv = {re.sub(r'^L\d_', 'LEVEL_', c) for c in open('columns').read().split()}
print('columns', sorted(csv ^ named(columns)))
EOF
