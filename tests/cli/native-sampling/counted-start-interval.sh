# The number of references is counted in the counted start, or its interval contains the true number, whatever happens in it and
# however the program ends.
. "$SRC/tests/cli/run/lib.bash"
export MEMSPY_NATIVE_COUNTED=100000000 # however long the head is

# 4.1 M references for each turn: a loop that hits, and one that does not.
cat >program.c <<'END_OF_C'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
static long small[512];
static char large[1 << 22];
static long run(long turns)
{
	long sum = 0;
	for (long r = 0; r < turns * 4000; r++)
		for (long i = 0; i < 512; i++)
			sum += ((volatile long *)small)[i] + ((volatile char *)large)[(r * 512 + i) * 64 % sizeof(large)];
	return sum;
}
static void step_over(int signal, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	(void)signal, (void)info;
#ifdef __aarch64__
	uc->uc_mcontext.pc += 4;
#else
	uc->uc_mcontext.gregs[REG_RIP] += 2;
#endif
}
static void trap(void)
{
	struct sigaction action = { .sa_sigaction = step_over, .sa_flags = SA_SIGINFO };
	sigaction(SIGILL, &action, NULL);
#ifdef __aarch64__
	__asm__ volatile(".inst 0" ::: "memory");
#else
	__asm__ volatile("ud2" ::: "memory");
#endif
}
/* The translator does not support it, and it has no effect. */
static void go_blind(void)
{
#ifdef __aarch64__
	__asm__ volatile("mrs x9, tpidr_el0\n\tmsr tpidr_el0, x9" ::: "x9", "memory");
#else
	__asm__ volatile("enter $0, $0\n\tleave" ::: "memory");
#endif
}
static void *nothing(void *unused)
{
	return unused;
}
static void *work(void *turns)
{
	return run((long)turns) != 0 ? turns : NULL;
}
static void start(void *(*function)(void *), long threads, void *argument)
{
	pthread_t thread[64];
	for (long i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, function, argument) != 0)
			exit(2);
	for (long i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
}
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	char *more[] = { argv[0], NULL };
	if (!strcmp(how, "trap"))
		trap();
	if (!strcmp(how, "short"))
		start(nothing, 1, NULL);
	if (!strcmp(how, "many"))
		start(nothing, 40, NULL);
	if (!strcmp(how, "threads"))
		start(work, 4, (void *)1);
	if (!strcmp(how, "blind") && (run(1) != 0 || (go_blind(), run(1)) != 0))
		return 2;
	if (run(argc > 2 ? atoi(argv[2]) : 1) != 0)
		return 2;
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "exec"))
		execv("/", more), execv(argv[0], more);
	return 0;
}
END_OF_C
gcc -O1 -g -pthread -o program program.c || fail gcc

# profile NAME STATUS OPTION... -- ARGUMENT...
profile() {
	local name=$1 status=$2
	shift 2
	timeout -s KILL 120 "$MEMSPY" run -q --frontend native --db runs.db --tag $name --l1 32K,8,64 --json -o $name.json --trace $name.trace "$@" \
		>$name.out 2>$name.err
	[ $? = $status ] || fail "$name: ends otherwise: $(cat $name.err)"
	"$MEMSPY" check $name.trace >$name.check || fail "$name: $(cat $name.check)"
	rm -f $name.trace
}

for how in kill:137 abort:134; do
	name=${how%:*} status=${how#*:}
	profile $name $status -- ./program $name 3
	for seed in 1 2; do
		profile $name$seed $status --sample 1/10 --sample-seed $seed -- ./program $name 3
		grep -q "about" <("$MEMSPY" report --db runs.db @$name$seed) || fail "$name$seed: it is said to be known"
	done
done
# Threads count as well, each for itself; what cannot be translated ends nothing but itself.
for how in short many threads trap blind exec; do
	profile $how 0 -- ./program $how 3
	for seed in 1 2; do
		profile $how$seed 0 --sample 1/10 --sample-seed $seed -- ./program $how 3
	done
done
# As the first window of --sample auto is: all that there is, or not.
for how in short trap blind; do
	profile $how-auto 0 --sample auto -- ./program $how 1
	"$MEMSPY" report --db runs.db @$how-auto >$how-auto.txt
	grep -q 'all of it was simulated' $how-auto.txt && all=1 || all=0
	[ $how = blind ] && [ $all = 1 ] && fail "$how: not all of it was simulated"
	[ $how != blind ] && [ $all = 0 ] && fail "$how: all of it was simulated: $(grep -A1 Sampled $how-auto.txt)"
done
python3 - <<'END' || fail "references"
import json
def read(name):
    run = json.load(open(name + ".json"))
    return run["run"].get("sampling"), sum(run["totals"]["references"].values())
for name in ("kill", "abort"):
    _, true = read(name)
    assert 12e6 < true < 13e6, (name, true)
    for seed in (1, 2):
        sampling, estimate = read(name + str(seed))
        # The environment's length is another.
        assert sampling["total_low"] - 2000 <= true <= sampling["total_high"] + 2000, (name, sampling, true)
        assert sampling["total_low"] < sampling["total_high"] < 1.15 * true, (name, sampling, true)
        assert abs(estimate - true) < 0.1 * true, (name, estimate, true)
for name in ("short", "many", "threads", "trap", "exec"):
    _, true = read(name)
    for seed in (1, 2):
        sampling, estimate = read(name + str(seed))
        assert sampling["total_low"] == sampling["total_high"], (name, sampling, true)
        assert abs(sampling["total"] - true) < 6000 and abs(estimate - true) < 6000, (name, sampling, estimate, true)
# What goes by natively is estimated, until the timer comes: of this no more than a part of a window's distance.
_, true = read("trap")
for seed in (1, 2):
    sampling, estimate = read("blind" + str(seed))
    more = 8.2e6 # two turns more than the other has
    assert sampling["total_low"] < sampling["total_high"] < 1.2 * (true + more), (sampling, true)
    assert sampling["total_low"] < true + more < sampling["total_high"], (sampling, true)
END
finish
