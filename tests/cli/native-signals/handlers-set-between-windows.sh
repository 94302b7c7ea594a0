# Handlers set between two windows, interrupted handlers on another stack, faults at unmapped addresses, and handlers for the
# signals of the tracer and the timer behave as natively.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -no-pie -Wall -Wextra -o handlers "$SRC/tests/cli/native/handlers.c" || fail "gcc handlers.c"

modes='between stack both nowhere ours timer reset'
for mode in $modes; do
	timeout -s KILL 60 ./handlers $mode >alone.out
	status=$?
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --trace $mode.trace -- ./handlers $mode >$mode.out 2>$mode.err
	[ $? = $status ] || fail "$mode: ends otherwise: $(cat $mode.err)"
	cmp $mode.out alone.out || fail "$mode: prints $(cat $mode.out), natively $(cat alone.out)"
	"$MEMSPY" check $mode.trace >checked || fail "$mode: $(cat checked)"
done

# Nor where the program runs natively between windows, or some sets only are simulated.
for mode in $modes; do
	timeout -s KILL 60 ./handlers $mode >alone.out
	status=$?
	for way in '--sample 1/10 --window 20K' '--sample 1/100 --window 10K' '--sample-sets 1/16'; do
		timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db sampled.db $way -- ./handlers $mode >$mode.out 2>sampled.err
		[ $? = $status ] || fail "$way: $mode: ends otherwise: $(cat sampled.err)"
		cmp $mode.out alone.out || fail "$way: $mode: prints $(cat $mode.out), natively $(cat alone.out)"
	done
done

# The window does not end when a signal comes in a wrapper of ours: each of 300 handlers reads its 4096 bytes back.
"$MEMSPY" check stack.trace >/dev/null || fail "stack"
"$MEMSPY" replay -q --db replayed.db --csv --by code -o code.csv -n 1000 --threshold 0 stack.trace 2>/dev/null ||
	fail "stack: replay"
python3 - code.csv <<'END' || fail "stack: $(grep keeps code.csv)"
import csv, sys
row = next(r for r in csv.DictReader(open(sys.argv[1])) if r['name'].startswith('keeps'))
assert int(row['reads']) >= 300 * 4096, row
END
finish
