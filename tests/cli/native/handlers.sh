# Handlers that are set between two windows, handlers on another stack that are interrupted, addresses of nothing, and the
# signal that the tracer has for itself: as natively.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -no-pie -Wall -Wextra -o handlers "$SRC/tests/cli/native/handlers.c" || fail "gcc handlers.c"

for mode in between stack both nowhere ours; do
	timeout -s KILL 60 ./handlers $mode >alone.out
	status=$?
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --trace $mode.trace -- ./handlers $mode >$mode.out 2>$mode.err
	[ $? = $status ] || fail "$mode: ends otherwise: $(cat $mode.err)"
	cmp $mode.out alone.out || fail "$mode: prints $(cat $mode.out), natively $(cat alone.out)"
	"$MEMSPY" check $mode.trace >checked || fail "$mode: $(cat checked)"
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
