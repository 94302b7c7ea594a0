# Another process stops (ptrace) a thread that holds locks of memspy's runtime: the other threads do not wait for it, the
# program runs on untraced, and memspy says so.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -pthread -Wall -Wextra -o holder "$SRC/tests/cli/native/lock-holder-stopped.c" || fail "gcc lock-holder-stopped.c"
timeout -s KILL 60 ./holder >alone.out
alone=$?
if [ $alone = 77 ]; then
	echo "ptrace is not permitted here"
	finish
fi
[ $alone = 0 ] || fail "it ends with $alone without memspy"
said="the program ran on untraced to its end: another process has stopped one of its threads (ptrace), which holds a lock of memspy's"
# On a busy machine the thread may come to rest without a lock: then it is tried again.
for options in '' '--sample 1/10' '-p 2'; do
	for attempt in 1 2 3 4 5 6 7 8; do
		timeout -s KILL 60 "$MEMSPY" run -q --frontend native --db runs.db $options -- ./holder parent >out 2>err ||
			fail "$options: exit status $?: $(cat err)"
		cmp out alone.out || fail "$options: another output"
		! grep -qF "$said" err || break
	done
	grep -qF "$said" err || fail "$options: not said: $(cat err)"
done
finish
