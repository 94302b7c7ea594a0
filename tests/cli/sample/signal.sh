# A program that uses the signal of memspy's timer itself: its own timers, descriptors and messages come to it, samples come too.
signal=$(sed -n 's/.*MS_TIMER_SIGNAL = \([0-9]*\).*/\1/p' "$SRC/frontends/native/timer.h")
cat >reuse.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static volatile sig_atomic_t timers, queued, ready, value, others;
static volatile long turns;
static void arrive(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	if (info->si_code == SI_TIMER)
		timers++, value = info->si_value.sival_int;
	else if (info->si_code == SI_QUEUE)
		queued++;
	else if (info->si_code == POLL_IN)
		ready++;
	else
		others++;
}
static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}
static void compute(void)
{
	for (double until = now(CLOCK_PROCESS_CPUTIME_ID) + 0.3; now(CLOCK_PROCESS_CPUTIME_ID) < until;)
		for (int i = 0; i < 10000; i++)
			turns++;
}
static void reuse(int signal)
{
	struct sigaction action = { .sa_sigaction = arrive, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal, .sigev_value.sival_int = 4711 };
	struct itimerspec every = { { 0, 10000000 }, { 0, 10000000 } };
	int ends[2];
	timer_t timer;
	sigaction(signal, &action, NULL);
	if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 || pipe(ends) != 0)
		exit(1);
	timer_settime(timer, 0, &every, NULL);
	fcntl(ends[0], F_SETOWN, getpid());
	fcntl(ends[0], F_SETSIG, signal);
	fcntl(ends[0], F_SETFL, O_ASYNC);
	for (int i = 0; i < 5; i++)
		sigqueue(getpid(), signal, (union sigval){ 1 });
	if (write(ends[1], "x", 1) != 1)
		exit(1);
	compute();
	printf("timers %d %d, queued %d, ready %d, others %d\n", timers > 5, (int)value, (int)queued, (int)ready, (int)others);
}
int main(int argc, char **argv)
{
	int number = atoi(argv[2]);
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "reuse") == 0) {
		reuse(number);
	} else if (strcmp(argv[1], "ignore") == 0) {
		signal(number, SIG_IGN);
		raise(number);
		compute();
		puts("it lives");
	} else { /* it ends the program */
		compute();
		puts("and dies");
		fflush(stdout);
		raise(number);
	}
	return 0;
}
END
gcc -std=gnu17 -O1 -g -o reuse reuse.c || echo "gcc reuse.c"
for what in reuse ignore default; do
	./reuse $what "$signal" >alone
	echo "status $?" >>alone
	"$MEMSPY" sample --event timer --rate 1000 -q --db runs.db --json -o $what.json ./reuse $what "$signal" >out
	echo "status $?" >>out
	echo "$what: $(cat out)"
	cmp alone out && python3 -c '
import json, sys
print("samples:", json.load(open(sys.argv[1]))["run"]["hardware"]["samples"] > 20)' $what.json
done 2>/dev/null
