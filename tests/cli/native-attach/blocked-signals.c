/* Threads that have all signals blocked: one computes, one waits for what others send it. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { OURS = 62, CELLS = 4096 };

static volatile int over;
static long opened;
static long lost;
static volatile long came;

static __attribute__((noinline)) long walk(volatile long *cells)
{
	long sum = 0;

	for (int i = 0; i < CELLS; i++)
		sum += cells[i]++;
	return sum;
}

/* Everything is blocked still, but the two that the C library keeps for itself, and what cannot be.
 */
static long open_now(void)
{
	long bits = 0;
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	for (int s = 1; s <= 64; s++)
		if (s != 32 && s != 33 && s != SIGKILL && s != SIGSTOP && !sigismember(&now, s))
			bits |= 1L << (s - 1);
	return bits;
}

/*
 * A thread that memspy was to follow finds it so once it has run for a while: until the kernel
 * looks whether its timer has expired, which on a busy machine may be after 50 ms of its time.
 */
static void check(long *cells)
{
	struct timespec ran = { 0, 0 };

	while (ran.tv_sec == 0 && (ran.tv_nsec < 50000000 || open_now() != 0)) {
		walk(cells);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
	}
	__sync_fetch_and_or(&opened, open_now());
}

static void *compute(void *arg)
{
	static long cells[CELLS];
	long sum = 0;

	while (!over)
		sum += walk(cells);
	check(cells);
	return sum == 1 ? NULL : arg;
}

static __attribute__((noinline)) int one_more(int expected, const siginfo_t *info)
{
	lost += info->si_code != SI_QUEUE || info->si_value.sival_int != expected;
	came++;
	return expected + 1;
}

static void *wait_for_signals(void *arg)
{
	static long cells[CELLS];
	sigset_t set;
	siginfo_t info;

	sigemptyset(&set);
	sigaddset(&set, OURS);
	for (int expected = 0;;) {
		if (sigwaitinfo(&set, &info) != OURS)
			continue;
		if (info.si_value.sival_int < 0)
			break;
		expected = one_more(expected, &info);
	}
	check(cells);
	return arg;
}

int main(void)
{
	pthread_t computes, waits;
	sigset_t all, before;
	char c;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	pthread_create(&computes, NULL, compute, &c);
	pthread_create(&waits, NULL, wait_for_signals, &c);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	puts("ready");
	fflush(stdout);
	for (int i = 0; read(0, &c, 1) == 1; i++) {
		pthread_sigqueue(waits, OURS, (union sigval){ .sival_int = i });
		while (came <= i) /* where many wait and more are sent their order is not kept */
			usleep(1000);
	}
	over = 1;
	pthread_sigqueue(waits, OURS, (union sigval){ .sival_int = -1 });
	pthread_join(computes, NULL);
	pthread_join(waits, NULL);
	printf("%ld came, %ld not as sent, %lx opened\n", came, lost, opened);
	return 6;
}
