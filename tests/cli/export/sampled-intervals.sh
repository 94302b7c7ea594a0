# Each figure of a sampled run has the bounds of its interval in CSV and JSON; figures of other runs have none.
. "$SRC/tests/cli/run/lib.bash"
"$MEMSPY" run -q --frontend native --sample 1/10 --window 2K --tag some --db runs.db -- "$EXAMPLES/matmul" 60 >some.out 2>some.err || fail "exit status $?: $(cat some.err)"
"$MEMSPY" run -q --frontend native --tag whole --db runs.db -- "$EXAMPLES/matmul" 60 >whole.out 2>whole.err || fail "exit status $?: $(cat whole.err)"
for run in some whole; do
	for format in csv json; do
		"$MEMSPY" export $format @$run --db runs.db >$run.$format || fail "export $format @$run"
	done
done
python3 - <<'END' || fail intervals
import csv, json
whole = list(csv.DictReader(open('whole.csv')))
assert not any(c.endswith(('_low', '_high')) for c in whole[0])
assert not any('intervals' in p for p in json.load(open('whole.json'))['points'])
rows, points = list(csv.DictReader(open('some.csv'))), json.load(open('some.json'))['points']
figures = [c for c in rows[0] if c in whole[0] and c not in ('module', 'code', 'file', 'line', 'inlined', 'data', 'type', 'kind')]
assert figures[:3] == ['reads', 'writes', 'stall_cycles'] and len(figures) == 3 + 5 * len(points[0]['levels'])
known = 0
for row, point in zip(rows, points, strict=True):
    for f in figures:
        low, high = row[f + '_low'], row[f + '_high']
        assert (low == '') == (high == ''), (f, row)
        if low != '':
            known += 1
            assert int(low) <= int(row[f]) <= int(high), (f, row)
    within = point.get('intervals')
    assert (within is None) == (row['stall_cycles_low'] == ''), row
    if within:
        assert abs(within['stall_cycles']['high'] - int(row['stall_cycles_high'])) <= 1, row
        for level in within['levels']:
            assert abs(level['causes']['first']['high'] - int(row[level['name'] + '_first_high'])) <= 1, row
assert known > 5 * len(figures), known
END
finish
