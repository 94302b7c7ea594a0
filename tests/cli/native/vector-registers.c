/*
 * vector-registers.c - vector and mask registers at their full width: values that live in all of
 * them while plain code runs, and loops that need them.
 *
 *    wide kept      put into every register, then a second of plain code, timers' signals and
 *                   faults in it, whose handlers use the registers too; is all of it still there?
 *    wide attached  likewise, until SIGTERM comes
 *    wide loops     what loops of vector instructions make of memory; prints the same each time
 *    wide has       status 0 if this processor has such registers
 *
 * Prints which register was lost, and ends with status 1.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>

/* Each architecture: whether it has them, how many bytes in all, whose one of these is; what keeps
 * them alive, what a handler does to them; how to step over the load that faults; the loops. */
#if defined(__aarch64__)
#include "vector-registers-aarch64.h"
#else
#include "vector-registers-x86-64.h"
#endif

static unsigned char before[MOST_BYTES], after[MOST_BYTES];
static volatile long signals, faults, done;
static unsigned char *page;

static void on_timer(int signal)
{
	(void)signal;
	signals++;
	wide_clobber();
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	faults++;
	wide_clobber();
	wide_step_over(context);
}

static void on_end(int signal)
{
	(void)signal;
	done = 1;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int kept(bool attached)
{
	struct sigaction timer = { .sa_handler = on_timer, .sa_flags = SA_RESTART };
	struct sigaction fault = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };
	struct state at = { .in = before, .out = after, .rounds = 20000 };
	double end = seconds() + 1;
	int rounds = 0;

	page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGTERM, on_end);
	sigaction(SIGALRM, &timer, NULL);
	sigaction(SIGSEGV, &fault, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	do {
		wide_fill(before, (uint32_t)rounds);
		memset(after, 0, sizeof(after));
		at.bad = rounds % 4 == 0 ? page : (void *)at.memory;
		wide_keep(&at);
		for (size_t i = 0; i < wide_bytes(); i++)
			if (before[i] != after[i]) {
				char name[16];

				wide_name(i, name);
				printf("round %d: %s is not kept: %02x was %02x\n", rounds, name,
				       after[i], before[i]);
				return 1;
			}
		rounds++;
		if (attached && rounds == 1)
			puts("ready"), fflush(stdout);
	} while (attached ? !done : seconds() < end || signals == 0);
	printf("kept, signals %s, faults %s\n", signals > 0 ? "came" : "did not come",
	       faults > 0 ? "came" : "did not come");
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "kept";

	if (strcmp(mode, "has") == 0 || !wide_has())
		return wide_has() ? 0 : 1;
	if (strcmp(mode, "loops") != 0)
		return kept(strcmp(mode, "attached") == 0);
	wide_loops();
	return 0;
}
