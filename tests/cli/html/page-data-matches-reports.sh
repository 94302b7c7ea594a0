# The data in the page equal report --json and the JSON of other commands, entry by entry, and docs/formats/page-json.md names
# all of it.
timeout -s KILL 120 "$MEMSPY" run -q --db sampled.db --frontend valgrind --workers 1 --l1 4K,2,64 --ll 64K,4,64 --sample 1/10 --window 5K \
	-- "$BUILD/examples/matmul" 100 >/dev/null
for name in matmul parallel sampled; do
	[ $name = sampled ] && db=sampled.db || db=$("$DBS/make" $name)
	"$MEMSPY" html --db "$db" -o $name.html
	"$MEMSPY" report --db "$db" --json -o $name.json
	"$MEMSPY" evictions --db "$db" --json --top 250 -o $name-evictions.json
	"$MEMSPY" threads --db "$db" --json --top 300 -o $name-threads.json
	"$MEMSPY" advise --db "$db" --json -o $name-advise.json
done
"$MEMSPY" sharing --db parallel.db --json --top 50 -o parallel-sharing.json
python3 - "$SRC/docs/formats/page-json.md" <<'END'
import json, re, sys

def load(name):
    page = open(name + '.html', encoding='utf-8').read()
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert len(found) == 1 and '<' not in found[0]
    return json.loads(found[0]), json.load(open(name + '.json', encoding='utf-8'))

def entry(tables, table, row):
    out = {}
    for path, value in zip(table['columns'], row + [0] * (len(table['columns']) - len(row))):
        if path in table['text_columns'] and value is not None:
            value = tables['texts'][value]
        keys, at = path.split('.'), out
        for key in keys[:-1]:
            at = at.setdefault(key, {})
        at[keys[-1]] = value
    return out

def intervals(tables):
    """Of the entries of each table: figure -> (low, high)."""
    found = {}
    for row in tables['intervals']['rows']:
        one = entry(tables, tables['intervals'], row)
        found[one['of'], one['row']] = one
    return found

def near(wanted, got, where):
    """Six digits of each bound, wherever there is one."""
    n = 0
    for key, value in wanted.items():
        if key in ('reference_shares', 'stall', 'read_misses', 'write_misses'): # the page does not show these apart
            continue
        if key == 'levels':
            n += sum(near({k: v for k, v in level.items() if k != 'name'}, got['levels'][str(i)], where) for i, level in enumerate(value))
        elif key == 'causes': # one processor takes nothing away from itself
            assert value.pop('invalidation') in (None, {'low': 0, 'high': 0}), where
            n += near(value, got['causes'], where)
        else:
            for bound in 'low', 'high':
                one, other = value and value[bound], got[key][bound]
                assert one == other or (one is not None and abs(one - other) <= 6e-6 * one), (where, key, one, other)
            n += value is not None
    return n

def compare(wanted, got, where):
    """Everything that the report says of the entry and the page holds."""
    n = 0
    for key, value in wanted.items():
        if key in ('replaced_by', 'allocated_by', 'stall_share', 'mean_size', 'intervals'):
            continue
        if key == 'stall_cycles':
            assert got['stall']['read'] + got['stall']['write'] == value, where
        elif key == 'levels':
            for i, level in enumerate(value):
                n += compare({k: v for k, v in level.items() if k != 'name'}, got['levels'][str(i)], where)
        elif isinstance(value, dict):
            n += compare(value, got[key], where)
        else:
            assert got[key] == value, (where, key, got[key], value)
        n += 1
    return n

document = open(sys.argv[1]).read()
for name in 'matmul', 'parallel', 'sampled':
    page, report = load(name)
    t = page['tables']
    print(name, 'findings', page['advise'] == json.load(open(name + '-advise.json', encoding='utf-8')))
    bounds = intervals(t)
    assert (len(bounds) > 0) == (name == 'sampled')
    for table in 'code', 'data', 'bins':
        assert len(t[table]['rows']) == len(report[table])
        n = 0
        for i, wanted in enumerate(report[table]):
            got = entry(t, t[table], t[table]['rows'][i])
            if table == 'bins':
                got['code'] = report['code'][got['code']]['name']
                got['data'] = report['data'][got['data']]['name']
            n += compare(wanted, got, (table, i))
        for wanted in report[table] if name == 'sampled' else []:
            for level, bounds_of in zip(wanted['levels'], wanted.get('intervals', {}).get('levels', [])):
                for cause, count in level['causes'].items(): # a count is whole, its interval is not
                    b = bounds_of['causes'][cause]
                    assert b is None or b['low'] - 1 <= count <= b['high'] + 1, (table, wanted, cause, b)
        known = 0
        for i, wanted in enumerate(report[table]):
            assert ('intervals' in wanted) == ((table, i) in bounds)
            known += near(wanted['intervals'], bounds[table, i], (table, i)) if 'intervals' in wanted else 0
        if name == 'sampled':
            assert known >= 8, known # which entries there are depends on the compiler
            print('sampled', table, 'and their intervals', 'agree' if n else 'are empty')
            continue
        print(name, table, len(report[table]), 'entries', 'agree' if n else 'are empty')
    if name == 'sampled':
        assert page['report']['totals'] == report['totals'] and 'intervals' in report['totals']
        assert any('intervals' in line for file in page['lines']['files'] for line in file['lines'])
        known = 0
        for row in t['bin_replaced_by']['rows']:
            got = entry(t, t['bin_replaced_by'], row)
            level = page['report']['run']['machine_levels'][got['level']]['name']
            if got['by'] is not None:
                wanted, = [r for r in report['bins'][got['bin']]['replaced_by'] if r['level'] == level and r['data'] == report['data'][got['by']]['name']]
                assert wanted['count'] == got['count']
                known += near({'it': None if wanted['low'] is None else wanted}, {'it': got}, 'replaced by')
        print('sampled evictors', 'agrees' if known > 0 else 'has no interval')
        print('sampled evictions', page['evictions'] == json.load(open('sampled-evictions.json', encoding='utf-8')))
        continue
    replaced = [[] for _ in report['bins']]
    for bin, level, by, count in t['bin_replaced_by']['rows']: # none ends with a zero
        replaced[bin].append({'level': page['report']['run']['machine_levels'][level]['name'],
                              'data': report['data'][by]['name'], 'count': count})
    assert replaced == [b['replaced_by'] for b in report['bins']]
    for key in 'run', 'totals', 'phases', 'unattributed':
        assert page['report'][key] == report[key], key
    for part in ('evictions', 'threads', 'sharing')[:3 if name == 'parallel' else 2]:
        print(name, part, page[part] == json.load(open('%s-%s.json' % (name, part), encoding='utf-8')))
    for key in page:
        assert '| `%s' % key in document, key
    for key, table in t.items():
        assert '| `%s`' % key in document, key
        for column in table['columns'] if key != 'texts' else []:
            assert '`%s`' % re.sub(r'^levels\.\d+\.|\.(low|high)$', '', column) in document, column
print('documented')
END
