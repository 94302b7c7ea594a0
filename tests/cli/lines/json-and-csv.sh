# JSON and CSV contain every line and add up to the totals, also with limits.
db=$("$DBS/make" matmul)
cp "$SRC/tests/cli/lines/matmul.c" . && touch -d 2026-11-01T00:00:00Z matmul.c
"$MEMSPY" lines --db "$db" --source . --csv
for options in '' '--top 1' '--threshold 3' '--code main' '--file matmul.c' '--latency L2=0,memory=0'; do
	echo "# $options"
	# shellcheck disable=SC2086
	"$MEMSPY" lines --db "$db" --source . --json $options >lines.json
	# shellcheck disable=SC2086
	"$MEMSPY" lines --db "$db" --source . --csv $options >lines.csv
	python3 - <<'EOF'
import csv, json
j = json.load(open('lines.json'))
def parts(f):
    return [*f['lines'], f['rest']]
def figures(e):
    return [e['stall_cycles'], e['compute_cycles'], *e['references'].values(),
        *(n for l in e['levels'] for n in [*l['misses'].values(), *l['causes'].values()])]
def add(entries):
    return [sum(column) for column in zip(*map(figures, entries))]
everything = [p for f in j['files'] for p in parts(f)] + [j['rest'], j['unknown_line'], j['not_asked_for']]
assert add(everything) == figures(j['totals']), add(everything)
for f in j['files']:
    assert add(parts(f)) == figures(f)
    for l in f['lines']:
        assert sum(d['stall_cycles'] for d in l['data']) == l['stall_cycles']
        assert sum(c['compute_cycles'] for c in l['code']) == l['compute_cycles']
        print(l['line'], l['stall_cycles'], l['data'][0]['name'], l['text'])
rows = list(csv.DictReader(open('lines.csv', newline='')))
assert sum(int(r['stall_cycles']) for r in rows) == j['totals']['stall_cycles']
assert sum(int(r['compute_cycles']) for r in rows) == j['totals']['compute_cycles']
print(len(rows), 'rows', j['rest']['lines'], 'in the rest', j['not_asked_for']['stall_cycles'], 'not asked for')
EOF
done
