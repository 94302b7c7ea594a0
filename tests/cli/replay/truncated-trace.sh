# A truncated trace is simulated up to its end, and memspy says so.
. "$SRC/tests/cli/run/lib.bash"
"$MEMSPY" run -q --db live.db --trace good.trace -- "$EXAMPLES/matmul" 60
size=$(stat -c %s good.trace)
head -c $((size * 2 / 3)) good.trace >cut.trace
"$MEMSPY" replay -q --db runs.db -m dash --json -o cut.json cut.trace 2>cut.err || fail "exit status $?"
[ "$(cat cut.err)" = "memspy: cut.trace: the trace was cut short; what is there was simulated" ] ||
	fail "it says: $(cat cut.err)"
expect cut <<'END'
report['run']['end'] == 'lost'
total.refs > 1000
END
# If only the index is missing, the counts are those of the whole trace; so is its end, if the index still has it.
"$MEMSPY" replay -q --db runs.db -m dash --json -o whole.json good.trace || fail "whole: exit status $?"
{ head -c $((size - 1)) good.trace; printf X; } >tail.trace
head -c $((size - 5)) good.trace >index.trace
for name in tail index; do
	"$MEMSPY" replay -q --db runs.db -m dash --json -o $name.json $name.trace 2>$name.err || fail "$name: exit status $?"
	[ "$(cat $name.err)" = "memspy: $name.trace: the trace's index is damaged, all chunks are there; what is there was simulated" ] ||
		fail "$name: it says: $(cat $name.err)"
	python3 - whole.json $name.json <<'END' || fail "$name: it differs"
import json, sys
one, two = (json.load(open(path)) for path in sys.argv[1:3])
sys.exit(one["totals"] != two["totals"] or two["run"]["end"] != "exited" or two["run"]["exit_status"] != 0)
END
done
# So is one that --trace-limit has bounded: the run says later, too, that it is not whole.
"$MEMSPY" run -q --db live.db --trace small.trace --trace-limit $((size / 2)) -- "$EXAMPLES/matmul" 60 2>/dev/null
"$MEMSPY" replay -q --db runs.db -m dash --json -o small.json small.trace 2>small.err || fail "limited: exit status $?"
[ "$(cat small.err)" = "memspy: small.trace: the trace holds only the beginning (--trace-limit); what is there was simulated" ] ||
	fail "limited: it says: $(cat small.err)"
"$MEMSPY" check small.trace | grep -q 'only the beginning' || fail "check says nothing of the limit"
"$MEMSPY" check good.trace | grep -q 'only the beginning' && fail "check reports a limit that did not exist"
expect small <<'END'
report['run']['end'] == 'lost'
total.refs > 1000
END
"$MEMSPY" diff --db runs.db @2 @latest | grep -q 'is not whole' || fail "limited: diff takes it for a whole run"
# Nothing is left to simulate: status 1, and no run is kept.
head -c 200 good.trace >first.trace
"$MEMSPY" replay -q --db none.db -m dash first.trace 2>first.err
[ $? = 1 ] || fail "first: exit status"
[ ! -e none.db ] || fail "first: a run was kept"
[ "$(cat first.err)" = "memspy: first.trace: found no whole chunk, expected at least one: the trace was cut short before its end" ] ||
	fail "first: it says: $(cat first.err)"
finish
