# A replayed run equals the live one, counter by counter and name by name, with any number of workers.
. "$SRC/tests/cli/run/lib.bash"
machine=(--processors 1 --l1 4K,2,64 --ll 64K,4,64)
n=0
for program in heap threads statics mapped recursion cpp freed; do
	"$MEMSPY" run -q --db runs.db "${machine[@]}" --trace $program.trace -- "$PROGRAMS/$program" \
		>/dev/null 2>$program.err || fail "$program: exit status $?, $(cat $program.err)"
	for workers in 1 3; do
		"$MEMSPY" replay -q --db runs.db "${machine[@]}" --workers $workers $program.trace ||
			fail "$program: replay, exit status $?"
		python3 "$SRC/tests/cli/replay/same.py" runs.db $((n + 1)) $((n + 1 + (workers + 1) / 2)) ||
			fail "$program, $workers workers: see above"
	done
	n=$((n + 3))
done
# A program that failed did so in its trace too.
"$MEMSPY" run -q --db runs.db "${machine[@]}" --trace ends.trace -- sh -c 'exit 7' >/dev/null
[ $? = 7 ] || fail "the program's exit status did not pass"
"$MEMSPY" replay -q --db runs.db "${machine[@]}" ends.trace || fail "ends: replay, exit status $?"
python3 "$SRC/tests/cli/replay/same.py" runs.db $((n + 1)) $((n + 2)) || fail "ends: see above"
finish
