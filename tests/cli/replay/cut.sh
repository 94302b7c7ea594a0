# A trace that was cut short is simulated as far as it goes, and that is said.
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
# So is one that --trace-limit has bounded; its program's end is known.
"$MEMSPY" run -q --db live.db --trace small.trace --trace-limit $((size / 2)) -- "$EXAMPLES/matmul" 60 2>/dev/null
"$MEMSPY" replay -q --db runs.db -m dash --json -o small.json small.trace 2>small.err || fail "limited: exit status $?"
[ "$(cat small.err)" = "memspy: small.trace: the trace holds only the beginning (--trace-limit); what is there was simulated" ] ||
	fail "limited: it says: $(cat small.err)"
"$MEMSPY" check small.trace | grep -q 'only the beginning' || fail "check says nothing of the limit"
"$MEMSPY" check good.trace | grep -q 'only the beginning' && fail "check tells of a limit that was not"
expect small <<'END'
report['run']['end'] == 'exited'
total.refs > 1000
END
finish
