# Several machines in one pass give the results that each gives alone.
. "$SRC/tests/cli/run/lib.bash"
"$MEMSPY" run -q --db live.db --trace walk.trace -- "$PROGRAMS/walk" || fail "run: exit status $?"
"$MEMSPY" replay -q --db runs.db -m dash -m cachegrind -m memspy-1992-matmul walk.trace ||
	fail "replay: exit status $?"
n=0
for machine in dash cachegrind memspy-1992-matmul; do
	n=$((n + 1))
	"$MEMSPY" replay -q --db runs.db -m $machine --workers 2 walk.trace || fail "$machine: exit status $?"
	python3 "$SRC/tests/cli/replay/same.py" runs.db $n $((n + 3)) || fail "$machine: see above"
done
finish
