# Threads that sleep, stop or end in the midst of their work, where nobody saw it coming: others do not wait for them for ever, in a
# whole run and in windows.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o away "$SRC/tests/cli/native/away.c" || fail "gcc away.c"
refused=
for mode in faults stopped stops signals calls forks ends quits executes; do
	timeout -s KILL 60 ./away $mode >alone.out
	alone=$?
	[ $alone = 77 ] && refused+=" $mode"
	[ $alone = 0 ] || [ $alone = 77 ] || fail "$mode: it ends with $alone without memspy"
	[ $alone = 0 ] || continue
	for options in '' '--sample 1/10' '--sample-sets 1/16' '--follow-forks'; do
		timeout -s KILL 60 "$MEMSPY" run -q --frontend native --db runs.db $options -- ./away $mode >out 2>err ||
			fail "$mode $options: exit status $?: $(cat err)"
		cmp out alone.out || fail "$mode $options: another output"
	done
done
[ "$refused" = '' ] || echo "not permitted here:$refused"
finish
