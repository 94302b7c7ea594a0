# Every field of CSV and JSON is documented, all add up to the totals of the report, and no name breaks a format.
set -u
db=$("$DBS/make" matmul)
name="x'
y;z\" (a < b) $(printf '\033[31m') ,(1) fn=q"
sqlite3 "$db" "update code set name = '${name//\'/\'\'}' where code = 0; update data set name = '${name//\'/\'\'}' where data = 0;
	update string set text = '${name//\'/\'\'}' where text like '%/matmul.c'"
export_as() {
	"$MEMSPY" export --db "$db" "$@"
}
export_as csv >out.csv
export_as json >out.json
for format in callgrind 'callgrind --view data' cachegrind collapsed 'collapsed --view data' speedscope; do
	# shellcheck disable=SC2086 # words
	export_as $format >"$(echo "$format" | tr -d ' -')"
done
"$MEMSPY" report --db "$db" --json >report.json
callgrind_annotate --auto=no callgrind 2>&1 | grep -ci 'warn\|die\|malformed'
callgrind_annotate --auto=no callgrindviewdata 2>&1 | grep -ci 'warn\|die\|malformed'
cg_annotate --auto=no cachegrind 2>&1 | grep -ci 'warn\|die\|malformed'
python3 - "$SRC/docs/formats/export.md" <<'END'
import csv, json, re, sys
totals = json.load(open('report.json'))['totals']
rows = list(csv.DictReader(open('out.csv', newline='')))
data = json.load(open('out.json'))
json.load(open('speedscope'))
misses = lambda level: sum(level['misses'].values())
assert sum(int(r['reads']) for r in rows) == totals['references']['read']
assert sum(int(r['writes']) for r in rows) == totals['references']['write']
assert sum(int(r['stall_cycles']) for r in rows) == totals['stall_cycles']
assert sum(int(r['L2_read_misses']) + int(r['L2_write_misses']) for r in rows) == misses(totals['levels'][1])
assert sum(int(r['L1_replacement']) for r in rows) == totals['levels'][0]['causes']['replacement']
assert sum(p['stall_cycles'] for p in data['points']) == totals['stall_cycles']
assert sum(misses(p['levels'][0]) for p in data['points']) == misses(totals['levels'][0])
assert sum(l['instructions'] for l in data['lines']) == totals['instructions']
assert len(rows) == len(data['points'])
escaped = lambda name: name.replace('\n', r'\n').replace('\x1b', r'\x1b')
for row, point in zip(rows, data['points']):
    line = data['lines'][point['line']]
    assert row['code'] == escaped(data['code'][line['code']]['name'])
    assert row['data'] == escaped(data['data'][point['data']]['name'])
assert not re.search(r'[\x00-\x09\x0b\x0c\x0e-\x1f]', open('out.csv', newline='').read())
for name in 'collapsed', 'collapsedviewdata':
    assert all(re.fullmatch(r'[^;\x00-\x1f]+(;[^;\x00-\x1f]+)* \d+', line) for line in open(name, newline='\n').read()[:-1].split('\n'))
for name in 'callgrind', 'callgrindviewdata', 'cachegrind':
    assert '\x1b' not in open(name).read()
keys = set()
def walk(value):
    for key, inner in value.items() if isinstance(value, dict) else []:
        keys.add(key)
        walk(inner)
    for inner in value if isinstance(value, list) else []:
        walk(inner)
walk(data)
doc = open(sys.argv[1]).read()
columns, fields = doc.split('## csv')[1].split('## json')
def named(text):
    cells = [row.split('|')[1] for row in text.splitlines() if row.startswith('| `')]
    return {part for cell in cells for name in re.findall('`([^`]+)`', cell) for part in re.findall(r'\w+', name)}
print('fields', sorted(keys ^ named(fields)))
print('columns', sorted({re.sub(r'^L\d_', 'LEVEL_', c) for c in rows[0]} ^ named(columns)))
END
