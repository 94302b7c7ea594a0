# Threads for which there is no memory for an alternate stack get no signals of memspy's: coroutines on small stacks run as without memspy,
# and memspy says once that they were not observed.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -pthread -Wall -Wextra -o no-altstack "$SRC/tests/cli/native-signals/no-memory-for-altstack.c" || fail "gcc no-altstack.c"
./no-altstack >alone || fail "exit status $? without memspy"
export MEMSPY_NATIVE_ALTSTACKS=2 # the main thread's, and one more
for mode in 'run --frontend native' 'run --frontend native --sample 1/2 --window 2K' 'run --frontend native --sample 1/10' 'sample --event timer --rate 5000'; do
	timeout -s KILL 60 "$MEMSPY" $mode -q --db runs.db -- ./no-altstack >out 2>err || fail "$mode: exit status $?: $(cat err)"
	cmp out alone || fail "$mode: another output"
	[ "$(grep -c "was not observed, as there was no memory for the stack that memspy's signals need" err)" = 1 ] || fail "$mode: not said once: $(cat err)"
done
export MEMSPY_NATIVE_ALTSTACKS=100
"$MEMSPY" run --frontend native -q --db runs.db --sample 1/2 --window 2K -- ./no-altstack >out 2>err || fail "enough: exit status $?"
grep -q 'was not observed' err && fail "enough: $(cat err)"
finish
