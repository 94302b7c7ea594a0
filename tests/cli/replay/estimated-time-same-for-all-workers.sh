# The estimated time of an out-of-order processor is the same for a run, for the replay of its trace, and for any number of
# workers; an in-order machine has none.
. "$SRC/tests/cli/run/lib.bash"
cat >core.ini <<'END'
[machine]
text = small, out of order
core = out-of-order
ipc = 4
window = 128
store-buffer = 32
[level L1]
size = 8K
ways = 2
line = 64
latency = 0
outstanding = 10
[level L2]
size = 64K
ways = 8
line = 64
latency = 20
[memory]
latency = 200
bandwidth = 8
write-bandwidth = 4
[prefetch]
distance = 8
stride = 1024
streams = 16
[tlb]
entries = 16
second-entries = 64
second-latency = 5
walk-latency = 40
walks = 2
page = 4K
END
sed 's/^core = .*/core = in-order/' core.ini >in-order.ini

# figures NAME: what does not depend on the time and the way of reading
figures() {
	python3 -c '
import json, sys
report = json.load(open(sys.argv[1]))
for key in "run", "memspy", "schema":
    report.pop(key, None)
print(json.dumps(report, sort_keys=True))' "$1"
}

"$MEMSPY" run -q --machine ./core.ini --db runs.db --trace t.trace --json -o live.json -- "$EXAMPLES/mesh-pointers" >program.out ||
	fail "run: exit status $?"
figures live.json >expected
grep -q '"timing"' expected || fail 'no estimated time'
for workers in 1 2 5; do
	"$MEMSPY" replay -q --machine ./core.ini --db runs.db --workers "$workers" --json -o "$workers.json" t.trace || fail "replay: exit status $?"
	figures "$workers.json" >found
	cmp expected found || fail "$workers workers: other figures"
done
"$MEMSPY" replay -q --machine ./in-order.ini --db runs.db --json -o in-order.json t.trace || fail "in-order: exit status $?"
! grep -q '"timing"' in-order.json || fail 'estimated time of an in-order machine'
