# Programs whose stacks grow in pieces (gcc -fsplit-stack) run as without memspy, in all modes: no signal frame of memspy's is on a piece.
. "$SRC/tests/cli/run/lib.bash"
gcc -std=gnu17 -O1 -g -fsplit-stack -pthread -Wall -Wextra -o split "$SRC/tests/cli/native-signals/split-stack.c" || fail "gcc -fsplit-stack"
timeout -s KILL 60 ./split >alone || fail "exit status $? without memspy"
for mode in 'run --frontend native' 'run --frontend native --sample 1/10' 'run --frontend native --sample 1/2 --window 2K' 'sample --event timer --rate 1000'; do
	timeout -s KILL 100 "$MEMSPY" $mode -q --db runs.db -- ./split >out 2>err || fail "$mode: exit status $?: $(cat err)"
	cmp out alone || fail "$mode: another output"
done
finish
