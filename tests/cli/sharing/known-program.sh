# A program with known sharing: counters in one line are false sharing, by member and source line; counters in lines of their
# own are none; one common counter is true sharing. The same with any number of workers.
program=$BUILD/tests/programs/sharing
run() { # MODE [OPTION]...
	mode=$1
	shift
	"$MEMSPY" run -q --l1 32K,8,64 --ll 1M,16,64 --processors 2 "$@" "$program" "$mode" 2 || echo "status $?"
	"$MEMSPY" sharing --json >"$mode.json"
}
for mode in near apart one; do
	run $mode --workers 1
	cp $mode.json alone.json
	run $mode --workers 3
	python3 - alone.json $mode.json <<'END'
import json, sys
alone, several = (json.load(open(f)) for f in sys.argv[1:3])
print("the same" if (alone['totals'], alone['lines']) == (several['totals'], several['lines']) else "not the same")
END
done
python3 - "$SRC/tests/programs/sharing.c" <<'END'
import json, sys
source = open(sys.argv[1]).read().splitlines()
def line_of(text):
    return next(i + 1 for i, line in enumerate(source) if text in line)
def of(mode, name):
    report = json.load(open(mode + '.json'))
    data = [d for d in report['data'] if d['name'] == name]
    lines = [l for l in report['lines'] if l['data'] == name]
    return data, lines
data, lines = of('near', 'near')
print('near: lines', len(lines), 'true', data[0]['true_sharing'], 'false', 'many' if data[0]['false_sharing'] > 10 else data)
want = {('.first', line_of('near.first++')), ('.second', line_of('near.second++'))}
missed = {(a['field'], a['line']) for a in lines[0]['accesses'] if a['misses'] and a['code'] != 'total'}
caused = {(a['field'], a['line']) for a in lines[0]['accesses'] if a['causes_false_sharing']}
print('missed', missed == want or missed, 'caused', caused == want or caused)
print('by', [sorted(a['processors']) for a in lines[0]['accesses'] if a['misses'] and a['code'] != 'total'])
print('stall', lines[0]['stall_cycles'] == lines[0]['false_stall_cycles'] > 0)
print('first', json.load(open('near.json'))['data'][0]['name'])
print('apart:', of('apart', 'apart') == ([], []) or of('apart', 'apart'))
data, lines = of('one', 'one')
print('one: true', 'many' if data[0]['true_sharing'] > 10 else data, 'false', data[0]['false_sharing'])
END
