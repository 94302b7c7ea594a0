# Threads that sleep, stop or end unexpectedly do not block the other threads, in whole runs and in windows.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -pthread -Wall -Wextra -o program "$SRC/tests/cli/native-sampling/sleeping-and-ending-threads.c" || fail gcc
refused=
for mode in faults stopped stops signals calls forks ends quits executes; do
	timeout -s KILL 60 ./program $mode >alone.out
	alone=$?
	[ $alone = 77 ] && refused+=" $mode"
	[ $alone = 0 ] || [ $alone = 77 ] || fail "$mode: it ends with $alone without memspy"
	[ $alone = 0 ] || continue
	for options in '' '--sample 1/10' '--sample-sets 1/16' '--follow-forks'; do
		timeout -s KILL 60 "$MEMSPY" run -q --frontend native --db runs.db $options -- ./program $mode >out 2>err ||
			fail "$mode $options: exit status $?: $(cat err)"
		cmp out alone.out || fail "$mode $options: another output"
	done
done
[ "$refused" = '' ] || echo "not permitted here:$refused"
finish
