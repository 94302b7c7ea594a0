# Windows of several simulated processors contain all running threads, so that contention for a line is simulated.
. "$SRC/tests/cli/run/lib.bash"
cat >fight.c <<'END2'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static struct { _Alignas(64) volatile long near[2]; } shared;
static pthread_barrier_t barrier;
static int rounds = 200;
static void *work(void *arg)
{
	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < 100000; i++)
			shared.near[(long)arg]++;
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t thread[2];

	if (argc > 1)
		rounds = atoi(argv[1]);

	pthread_barrier_init(&barrier, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("%ld %ld\n", shared.near[0], shared.near[1]);
	return 0;
}
END2
gcc -O1 -g -pthread -o fight fight.c || fail "gcc"
# What a whole simulation says of it, which merges threads as finely as they fight: the same in each round.
timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --workers 1 --processors 2 --l1 32K,8,64 --json -o whole.json ./fight 40 >/dev/null || fail "whole: exit status $?"
for seed in 1 2 3; do
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --workers 1 --processors 2 --l1 32K,8,64 --sample 1/10 --window 50K --sample-seed $seed \
		--trace fight.trace --json -o fight.json ./fight >fight.out 2>fight.err || fail "seed $seed: exit status $?: $(cat fight.err)"
	[ "$(cat fight.out)" = "20000000 20000000" ] || fail "seed $seed: prints $(cat fight.out)"
	"$MEMSPY" check fight.trace >check.out || fail "seed $seed: $(cat check.out)"
	python3 - <<'END2' || fail "seed $seed: $(cat fight.json)"
import json
run = json.load(open("fight.json"))
level = run["totals"]["levels"][0]
references = sum(run["totals"]["references"].values())
assert run["run"]["frontend"] == "native" and run["run"]["sampling"]["windows"] >= 10
# All of it is one thread's fault with the other, or it is not seen at all.
assert level["causes"]["invalidation"] > 0.9 * sum(level["misses"].values()), level
assert 0.001 < level["causes"]["invalidation"] / references < 0.05, (level, references)
# What was not seen, as one of them was alone, is in the interval.
interval = run["run"]["sampling"]["miss_rates"][0]["invalidations"]
whole = json.load(open("whole.json"))["totals"]
truth = whole["levels"][0]["causes"]["invalidation"] / sum(whole["references"].values())
assert 0.9 * interval["low"] < truth < 1.1 * interval["high"], (truth, interval)
END2
done
finish
