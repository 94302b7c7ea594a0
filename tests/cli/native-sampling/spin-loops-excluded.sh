# Threads that wait in loops for other threads: how often these loops go round depends on timing, so that natively, between windows,
# they make many times the references of a whole run. A sampled run leaves them out, says in which functions they are, and
# estimates the work of the threads. OpenMP with many short parallel regions, and a loop of the program's own.
. "$SRC/tests/cli/run/lib.bash"
export OMP_WAIT_POLICY=active
cat >regions.c <<'END_C'
#include <stdio.h>
static double a[4096];
int main(void)
{
	double sum = 0;
	for (int r = 0; r < 12000; r++) {
#pragma omp parallel for schedule(static) num_threads(2)
		for (int i = 0; i < 2048; i++)
			a[i] += r;
		sum += a[r % 2048];
	}
	printf("%.0f\n", sum);
	return 0;
}
END_C
cat >flags.c <<'END_C'
#include <pthread.h>
#include <stdio.h>
static volatile int turn;
static long a[4096];
static void __attribute__((noinline)) wait_for(int mine)
{
	while (turn % 2 != mine)
		;
}
static void __attribute__((noinline)) work(void)
{
	for (int i = 0; i < 4096; i++)
		a[i] = 3 * a[i] + 1; /* a load and a store on each architecture */
}
static void *alternate(void *mine)
{
	for (int i = 0; i < 4000; i++) {
		wait_for((int)(long)mine);
		work();
		__atomic_fetch_add(&turn, 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}
int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, alternate, (void *)1);
	alternate((void *)0);
	pthread_join(other, NULL);
	printf("%ld\n", a[0]);
	return 0;
}
END_C
gcc -O1 -g -fopenmp -o regions regions.c && gcc -O1 -g -pthread -o flags flags.c || fail gcc
# NAME FUNCTION REFERENCES WAITS: the function's references are near to these, and the report names the waits.
sampled() {
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --sample 1/10 --db runs.db --json -o "$1.json" -- "./$1" >out 2>err ||
		fail "$1: exit status $?, $(cat err)"
	"$MEMSPY" report --db runs.db >"$1.txt"
	python3 - "$@" <<'END_PY' || fail "$1: $(head -8 "$1.txt")"
import json, sys
name, function, references, waits = sys.argv[1:]
run = json.load(open(f"{name}.json"))
[code] = [c for c in run["code"] if c["name"].startswith(function)]
ratio = sum(code["references"].values()) / int(references)
assert 0.6 < ratio < 1.6, f"{name}: {function} has {ratio:.2f} of its references"
total, waiting = sum(run["totals"]["references"].values()), [u for u in run["run"]["untraced"] if u["who"] == "waiting"]
assert any(waits in u["reason"] and u["times"] > 0 for u in waiting), f"{name}: waits in {waiting}"
assert total < 6 * int(references), f"{name}: {total} references"
text = " ".join(open(f"{name}.txt").read().split())
assert "Waiting: in loops of" in text and "threads wait for others" in text, text
END_PY
}
sampled regions main._omp_fn 49152000 libgomp
sampled flags work 65536000 wait_for
finish
