# A thread that spins counts as waiting, with next to no references, however long it takes; a loop that computes does not, even
# if all its references are equal.
. "$SRC/tests/cli/run/lib.bash"
machine=(--machine sgi-4d-340 --processors 4)

for how in spins:spin_on_flag pauses:spin_politely rests:spin_and_rest yields:spin_with_yields; do
	name=${how%:*} function=${how#*:}
	profile "$name" "${machine[@]}" -- "$PROGRAMS/thread-kinds" "$name"
	expect "$name" <<END
0 < bin('$function', 'flag').reads < 150
bin('work', 'own').writes == 100000
END
	"$MEMSPY" threads --db "$name.db" --json >threads.json
	python3 - threads.json "$name" <<'END' || failures=$((failures + 1))
import json, sys
report = json.load(open(sys.argv[1]))
work, *spinners = report["threads"]
assert len(spinners) == 3, report["threads"]
for t in spinners:
    # They spin while the first thread works: nearly all of their time.
    assert t["spin_cycles"] > 0.9 * t["elapsed_cycles"], (sys.argv[2], t)
    assert t["compute_cycles"] < 5000, (sys.argv[2], t)
    assert t["name"] == "spin", (sys.argv[2], t)
assert work["spin_cycles"] == 0 and work["name"] == "main", (sys.argv[2], work)
END
done

profile registers "${machine[@]}" -- "$PROGRAMS/thread-kinds" registers
expect registers <<'END'
bin('compute', 'tenth').reads == 4 * 50000
END
"$MEMSPY" threads --db registers.db --json | python3 -c '
import json, sys
for t in json.load(sys.stdin)["threads"]:
    assert t["spin_cycles"] == 0, t' || fail "registers: something spins"

# An atomic instruction and a yield: as much a wait, but its references are made.
profile locked "${machine[@]}" -- "$PROGRAMS/thread-kinds" locked
"$MEMSPY" threads --db locked.db --json | python3 -c '
import json, sys
for t in json.load(sys.stdin)["threads"][1:]:
    assert t["spin_cycles"] > 0.9 * t["elapsed_cycles"], t
    assert t["compute_cycles"] < 10000, t' || fail "locked: it does not wait"

# Who yields may be about to give up, and who waits for that may not be noticed as spinning.
profile gives-up "${machine[@]}" -- "$PROGRAMS/thread-kinds" gives-up
[ "$(cat gives-up.out)" = "given up" ] || fail "gives-up: exit status $status, prints $(cat gives-up.out)"

# Locks that are taken by exchanging or comparing until that succeeds: who finds them taken leaves memory as it is, and waits. The thread that has the lock works alone meanwhile.
cat >taken.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
enum { THREADS = 3 };
static atomic_int locked;
static int how;
static volatile long own[THREADS];
static void lock(void)
{
	int expected = 0;
	if (how == 0)
		while (atomic_exchange(&locked, 1))
			;
	else
		while (!atomic_compare_exchange_weak(&locked, &expected, 1))
			expected = 0;
}
static void *work(void *mine)
{
	lock();
	for (int i = 0; i < 50000; i++)
		(*(volatile long *)mine)++;
	atomic_store(&locked, 0);
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	how = argc > 1 && strcmp(argv[1], "compares") == 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, work, (void *)&own[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
END
gcc -O1 -g -o taken taken.c -pthread || fail gcc
for how in exchanges compares; do
	profile $how "${machine[@]}" -- ./taken $how
	"$MEMSPY" threads --db $how.db --json | python3 -c '
import json, sys
work = json.load(sys.stdin)["threads"][1:]
waits = sorted(t["spin_cycles"] / t["compute_cycles"] for t in work)
assert len(work) == 3 and waits[0] < 0.1 and 0.8 < waits[1] < 1.2 and 1.8 < waits[2] < 2.2, work' || fail "$how: who finds the lock taken does not wait"
done

# Atomic instructions let the others go first.
profile atomics "${machine[@]}" -- "$PROGRAMS/thread-kinds" atomics
[ "$status" = 0 ] || fail "atomics: exit status $status"
expect atomics <<'END'
bin('work', 'own').writes == 4 * 20 * 500
END
finish
