# The members on shared lines are named: of single and of many heap objects, and of variables.
"$MEMSPY" run -q --l1 32K,8,64 --ll 1M,16,64 --processors 2 "$BUILD/tests/programs/members" || echo "status $?"
"$MEMSPY" sharing --json >members.json
python3 - <<'END'
import json
want = {
    'Queue.queue': {0: '.head', 8: '.tail', 16: '.stats[0].hits', 24: '.stats[1].hits', 32: '.either[0]', 40: '.either[1]'},
    'stats.many': {4: '[0].misses', 12: '[1].misses'},
    'char.plain': {8: '[8]', 9: '[9]'},
    'fixed': {10: '.pair[0].y', 14: '.pair[1].y'},
}
found = {name: set() for name in want}
for line in json.load(open('members.json'))['lines']:
    for a in line['accesses']:
        if a['code'] == 'work' and a['data'] in want:
            found[a['data']].add((a['object_offset'], a['field']))
for name in want: # which of them meet depends on the turns that threads take
    print(name, 'some' if len(found[name]) > 1 else found[name], sorted(found[name] - set(want[name].items())))
END
