# memspy accuracy compares a whole and a sampled run as text, and refuses runs that cannot be compared.
python3 - <<'END' >walk.din
for turn in range(16):
    for i in range(0, 1 << 20, 8):
        print(0, format(0x100000 + i, "x"))
END
for options in '' '--sample 1/10 --window 10K'; do
	"$MEMSPY" replay -q --db runs.db --l1 4K,4,64 --ll 2M,16,64 -f din $options walk.din
done
"$MEMSPY" replay -q --db runs.db --l1 8K,4,64 -f din walk.din
"$MEMSPY" accuracy --db runs.db 1 2
"$MEMSPY" accuracy --db runs.db 2 1 2>&1
"$MEMSPY" accuracy --db runs.db 1 1 2>&1
"$MEMSPY" accuracy --db runs.db 3 2 2>&1
"$MEMSPY" accuracy --db runs.db 1 2>&1
"$MEMSPY" accuracy --db runs.db --json 1 2 >accuracy.json
"$MEMSPY" accuracy --db runs.db --csv 1 2 | head -n 1 | tr -d '\r' | tr , '\n' >columns
# docs/formats/accuracy-json.md names every field and column, and no other.
python3 - "$SRC/docs/formats/accuracy-json.md" <<'END'
import json, re, sys
fields, columns = open(sys.argv[1]).read().split('## CSV')
keys = set()
def walk(value):
    for key, inner in value.items() if isinstance(value, dict) else []:
        keys.add(key)
        walk(inner)
    for inner in value if isinstance(value, list) else []:
        walk(inner)
walk(json.load(open('accuracy.json')))
def named(text):
    cells = [row.split('|')[1] for row in text.splitlines() if row.startswith('| `')]
    return {part for cell in cells for name in re.findall('`([^`]+)`', cell) for part in re.findall(r'\w+', name)}
print('fields', sorted((keys ^ named(fields)) - {'invalidations'}))  # of several processors only
print('columns', sorted(set(open('columns').read().split()) ^ named(columns)))
END
true
