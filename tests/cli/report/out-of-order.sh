# A run of an out-of-order core: stall is what was exposed, with the parts of why; --cost latency costs whole latencies.
"$DBS/make" core >/dev/null
"$DBS/make" matmul >/dev/null
"$MEMSPY" report --db core.db before
"$MEMSPY" report --db core.db before --json >exposed.json
"$MEMSPY" report --db core.db before --json --cost latency >latency.json
"$MEMSPY" report --db matmul.db --json >in-order.json
python3 - <<'END'
import json

def load(name):
    with open(name) as file:
        return json.load(file)

exposed, latency, in_order = load('exposed.json'), load('latency.json'), load('in-order.json')
print(exposed['run']['core'], exposed['totals']['estimated_ms'])
print(exposed['totals']['timing'])
entries = [exposed['totals']] + [e for key in ('code', 'data', 'bins') for e in exposed[key]]
for entry in entries:
    t = entry['timing']
    parts = sum(a['exposed_cycles'] for a in t['answers']) + t['page_walk_cycles'] + t['bandwidth_cycles']
    hidden = sum(a['prefetched_cycles'] + a['overlapped_cycles'] for a in t['answers'])
    assert parts == entry['stall_cycles'], entry
    assert hidden + sum(a['exposed_cycles'] for a in t['answers']) == t['latency_cycles'], entry
    assert sum(t['dependences'].values()) == sum(entry['levels'][0]['misses'].values()), entry
print(len(entries), 'entries: parts add up to the stall')
# What is hidden, and the same latencies as without the model. Only this run divides replacement misses.
for key in ('totals', 'code', 'data', 'bins'):
    for entry in [latency[key]] if key == 'totals' else latency[key]:
        for level in entry['levels']:
            del level['replacement']
assert exposed['totals']['timing']['latency_cycles'] == in_order['totals']['stall_cycles']
for key in ('totals', 'code', 'data', 'bins'):
    assert latency[key] == in_order[key], key
print('--cost latency: the figures of an in-order core,', latency['run']['core']['cost'])
END
"$MEMSPY" report --db core.db before --by data --csv | tr -d '\r' | cut -d, -f1,2,20- | head -n 3
"$MEMSPY" data --db core.db before --sort chained | grep -v predicted | grep -o 'Matrix.[XYZ]' | xargs
"$MEMSPY" report --db core.db before --latency memory=400 | grep -A1 'what was waited for'
for cost in exposed both; do
	"$MEMSPY" report --db matmul.db --cost $cost 2>&1 | head -n 1
done
MEMSPY_COST=latency "$MEMSPY" show --db core.db before --data Matrix.Y | grep -c 'Overlapped\|estimated' || true
