# docs/formats/evictions-json.md names every field and column, and no other.
db=$("$DBS/make" matmul)
"$MEMSPY" evictions --db "$db" --json >evictions.json
# A sampled run has more.
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "0 %x\n", 1048576 + i * 64 % 65536 }' >walk.din
"$MEMSPY" replay -q --db sampled.db --workers 1 --l1 4K,4,64 --sample 1/10 --window 1K -f din walk.din
"$MEMSPY" evictions --db sampled.db --json >sampled.json
for rows in '' --occupancy --timeline; do
	"$MEMSPY" evictions --db "$db" $rows --csv | head -n 1 | tr -d '\r' | tr , '\n'
done >columns
python3 - "$SRC/docs/formats/evictions-json.md" <<'END'
import json, re, sys
fields, columns = open(sys.argv[1]).read().split('## CSV')
keys = set()
def walk(value):
    for key, inner in value.items() if isinstance(value, dict) else []:
        keys.add(key)
        walk(inner)
    for inner in value if isinstance(value, list) else []:
        walk(inner)
walk(json.load(open('evictions.json')))
walk(json.load(open('sampled.json')))
def named(text):
    cells = [row.split('|')[1] for row in text.splitlines() if row.startswith('| `')]
    return {part for cell in cells for name in re.findall('`([^`]+)`', cell) for part in re.findall(r'\w+', name)}
print('fields', sorted(keys ^ named(fields)))
print('columns', sorted(set(open('columns').read().split()) ^ named(columns)))
END
