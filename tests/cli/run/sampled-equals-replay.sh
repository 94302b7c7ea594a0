# Under Valgrind, windows and sampled sets equal those of a sampled replay of the whole trace, whatever the program does and
# however it ends. (Cache contents by data structure are sampled when a chunk is read, and chunks differ.)
. "$SRC/tests/cli/run/lib.bash"
machine=(--frontend valgrind --l1 4K,2,64 --ll 64K,4,64 --workers 1) # lifetimes of lines are measured in accesses that one L1 filter has kept
n=0
# A dynamic loader does not do the same twice; of a static program the heap is found by symbols.
for program in heap recursion; do
	build $program -O1 -g -static
done
# same NAME PROGRAM OPTIONS: three runs; the second and the third are compared
same() {
	local name=$1 program=$2
	shift 2
	timeout -s KILL 120 "$MEMSPY" run -q --db runs.db "${machine[@]}" --trace $name.whole -- ./$program >alone.out 2>/dev/null || fail "$name: exit status $?"
	"$MEMSPY" replay -q --db runs.db "${machine[@]:2}" "$@" $name.whole 2>/dev/null || fail "$name: replay, exit status $?"
	timeout -s KILL 120 "$MEMSPY" run -q --db runs.db "${machine[@]}" "$@" --trace $name.trace -- ./$program >$name.out 2>$name.err ||
		fail "$name: exit status $?: $(cat $name.err)"
	cmp -s alone.out $name.out || fail "$name: prints something else"
	"$MEMSPY" check $name.trace >$name.check || fail "$name: $(cat $name.check)"
	python3 "$SRC/tests/cli/replay/same.py" runs.db $((n + 2)) $((n + 3)) occupancy stay slice slice_miss slice_sum slice_line >$name.same || fail "$name: $(cat $name.same)"
	n=$((n + 3))
}
same windows heap --sample 1/10 --window 5K
same seed recursion --sample 1/4 --window 1K --sample-seed 7
same both heap --sample 1/10 --window 5K --sample-sets 1/4
same often recursion --sample 1/2 --window 1K
# The trace contains how it was sampled, and on what it cannot be simulated.
"$MEMSPY" replay -q --db runs.db "${machine[@]:2}" both.trace || fail "replay of windows: exit status $?"
python3 "$SRC/tests/cli/replay/same.py" runs.db 9 $((n + 1)) >both.same || fail "replay of windows: $(cat both.same)"
"$MEMSPY" replay -q --db runs.db --l1 8K,2,64 --ll 64K,4,64 both.trace || fail "replay on larger caches: exit status $?"
for bad in "--l1 4K,2,64 --sample 1/5" "--l1 4K,2,64 --sample 1/10 --window 5K --sample-sets 1/4" "--l1 4K,2,64 --error 1%" "--l1 1K,8,64" "--l1 4K,2,64 --pmu misses/100" "--l1 4K,2,64 --processors 2"; do
	"$MEMSPY" replay -q --db runs.db $bad both.trace 2>&1 && fail "$bad is taken"
done
# Children have windows of their own, before and after they become another program.
timeout -s KILL 120 "$MEMSPY" run -q --db children.db "${machine[@]}" --follow-forks --sample 1/4 --window 1K -- sh -c 'seq 1 2000 | tail -n 1; exit 3' >children.out 2>children.err
[ $? = 3 ] || fail "children: exit status"
[ "$(cat children.out)" = 2000 ] || fail "children: $(cat children.out)"
grep 'could not be followed' children.err && fail "children"
[ "$(sqlite3 children.db "select count(*) from run join sampling on sampling.run = run.id where windows > 5")" = 3 ] || fail "children: $(sqlite3 children.db 'select run, windows from sampling')"
# Killed in the middle: what was seen until then stands for all until then. The loop makes some 2.6 million references.
cat >kill.c <<'END'
#include <signal.h>
#include <unistd.h>
static volatile long a[1 << 17];
int main(void)
{
	for (int round = 0; round < 10; round++)
		for (int i = 0; i < 1 << 17; i++)
			a[i]++;
	kill(getpid(), SIGKILL);
}
END
gcc -O1 -g -o kill kill.c || fail "gcc"
bash -c '"$@"; true' - timeout -s KILL 120 "$MEMSPY" run -q --db kill.db "${machine[@]}" --sample 1/10 --window 5K --json -o kill.json ./kill 2>kill.err
expect kill <<'END'
abs(total.refs - 2.65e6) < 0.1e6
abs(total.misses - 10 * 16384) < 0.1 * 10 * 16384
END
finish
