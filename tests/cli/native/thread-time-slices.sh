# Threads on one simulated processor have time slices as long as under Valgrind, so that each reuses its data in the first
# level, in whole runs and in windows; a thread that spins yields earlier.
. "$SRC/tests/cli/run/lib.bash"
cat >program.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
enum { THREADS = 4, WORDS = 2048, ROUNDS = 1500 };
static long own[THREADS][WORDS], handed;
static atomic_int next;
static pthread_barrier_t all;
static void *work(void *arg)
{
	long me = (long)arg;
	pthread_barrier_wait(&all);
	for (long r = 0; r < ROUNDS; r++)
		for (long i = 0; i < WORDS; i++)
			own[me][i] += r ^ i;
	for (long i = 0; i < handed; i++) {
		while (atomic_load(&next) != me)
			;
		atomic_store(&next, (int)(me + 1) % THREADS);
	}
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	long sum = 0;
	handed = argc > 1 ? atol(argv[1]) : 0;
	pthread_barrier_init(&all, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (long i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (long i = 0; i < THREADS * WORDS; i++)
		sum += own[i / WORDS][i % WORDS];
	printf("%ld\n", sum);
	return 0;
}
END
gcc -O1 -g -pthread -o program program.c || fail gcc
./program >alone.out

# run NAME HANDED OPTIONS
run() {
	local name=$1 handed=$2
	shift 2
	timeout -s KILL 120 "$MEMSPY" run -q --db runs.db --l1 32K,32,64 --ll 8M,16,64 --json -o "$name.json" "$@" -- \
		./program "$handed" >"$name.out" || fail "$name: exit status $?"
	cmp "$name.out" alone.out || fail "$name: another output"
}
run native 0 --frontend native
run valgrind 0 --frontend valgrind
run sampled 0 --frontend native --sample 1/10
run loops 40 --frontend native
python3 - <<'END' || fail "figures"
import json, sys

def figures(name):
	totals = json.load(open(name + '.json'))['totals']
	return sum(totals['references'].values()), sum(totals['levels'][0]['misses'].values())

ran = {name: figures(name) for name in ('native', 'valgrind', 'sampled', 'loops')}
rate = {name: misses / references for name, (references, misses) in ran.items()}
ok = (rate['native'] < 0.01 and abs(rate['native'] - rate['valgrind']) < 0.005 and
      abs(rate['sampled'] - rate['native']) < 0.01 and ran['loops'][0] < 1.5 * ran['native'][0])
if not ok:
	print(ran)
sys.exit(not ok)
END
finish
