# A program with known threads: their names, ends and waits, with the source lines that made them wait.
"$MEMSPY" run -q --l1 32K,8,64 --ll 1M,16,64 --processors 4 "$BUILD/tests/programs/sharing" near 4 || echo "status $?"
"$MEMSPY" threads --json >threads.json
python3 - <<'END'
import json
r = json.load(open('threads.json'))
threads, code = r['threads'], {c['name']: c for c in r['code']}
print([(t['thread'], t['processor'], t['name'], t['ended']) for t in threads])
print('adds up', all(t['elapsed_cycles'] == t['compute_cycles'] + t['stall_cycles'] + t['wait_cycles'] for t in threads))
print('all wait at the barrier', all(t['futex_cycles'] > 0 for t in threads[1:-1]), code['work']['futex_cycles'] > 0)
print('alone', code['main']['parallelism'] < 2, 'together', code['count_first']['parallelism'] > 3)
busy = sum(c['normalised_cycles'] for c in r['code'])
print('the time in which anybody is busy', 0 < busy <= r['totals']['elapsed_cycles'] * 1.05)
print('no processor is busier than the run is long', all(p['busy_share'] <= 1 for p in r['processors']))
END
"$MEMSPY" threads --by thread | sed -n '/^THREADS/,/^$/p' | awk '{ print $1, $2, $NF }'
