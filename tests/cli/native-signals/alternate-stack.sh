# A program's alternate signal stack is the one that it set, and its handlers run on it, also when memspy's signals arrive.
. "$SRC/tests/cli/run/lib.bash"
ways=('run --frontend native' 'run --frontend native --sample 1/100 --window 10K' 'run --frontend native --sample 1/10 --window 20K' 'sample --rate 5000')
for mode in reads places disarmed leaves nested waits; do
	timeout -s KILL 60 "$PROGRAMS/altstack" $mode >alone.out || fail "$mode: natively exit status $?"
	for way in "${ways[@]}"; do
		timeout -s KILL 120 "$MEMSPY" $way -q --db runs.db -- "$PROGRAMS/altstack" $mode >out 2>err || fail "$way: $mode: exit status $?: $(cat err)"
		cmp out alone.out || fail "$way: $mode: prints $(cat out), natively $(cat alone.out)"
	done
done
finish
