/*
 * Code and events that are hard for a front-end which translates code: what it prints is
 * the same natively and traced. x86-64.h and aarch64.h hold what only one architecture has.
 *
 *    windows flags|strings|operands|branches|vectors|faults|made|signals
 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static uint64_t sum_of(const void *data, size_t n)
{
	const unsigned char *at = data;
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + at[i];
	return sum;
}

#ifdef __aarch64__
#include "aarch64.h"
#else
#include "x86-64.h"
#endif

/* --- signals --- */

static volatile long alarms, depth, deepest;
static sigjmp_buf back;
static char *alternate;

static long burn(long n)
{
	volatile long x = 0;

	for (long i = 0; i < n; i++)
		x += i;
	return x;
}

static void count(int signal)
{
	(void)signal;
	alarms++;
}

static void nest(int signal)
{
	depth++;
	if (depth > deepest)
		deepest = depth;
	if (depth < 5)
		raise(signal);
	depth--;
}

static void jump(int signal)
{
	siglongjmp(back, signal);
}

static volatile int on_alternate;

static void where(int signal)
{
	char here;

	(void)signal;
	on_alternate = &here > alternate && &here < alternate + 65536;
}

static void handle(int signal, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigaction(signal, &action, NULL);
}

static void tick(long microseconds)
{
	struct itimerval timer = { { 0, microseconds }, { 0, microseconds } };

	setitimer(ITIMER_REAL, &timer, NULL);
}

static volatile int ticks, go[2];

/* Who reads on without noticing lets the other one write in the end. */
static void third(int signal)
{
	(void)signal;
	if (++ticks == 3)
		write(go[1], "g", 1);
}

/* Reads that a timer interrupts: they fail, or begin again. Nothing comes before they were. */
static void reads(int flags)
{
	int ends[2], failed = 0, child;
	char byte;

	if (pipe(ends) != 0 || pipe((int *)go) != 0)
		return;
	ticks = 0;
	handle(SIGALRM, flags & SA_RESTART ? third : count, flags);
	child = fork();
	if (child == 0) {
		read(go[0], &byte, 1);
		write(ends[1], "x", 1);
		_exit(0);
	}
	tick(2000);
	while (read(ends[0], &byte, 1) != 1)
		if (errno == EINTR && failed++ == 0)
			write(go[1], "g", 1);
	tick(0);
	while (waitpid(child, NULL, 0) < 0)
		;
	printf("read %c, interrupted %s\n", byte, failed > 0 ? "yes" : "no");
	for (int i = 0; i < 2; i++) {
		close(ends[i]);
		close(go[i]);
	}
}

static void waits(void)
{
	sigset_t block, old, none;
	long before;

	sigemptyset(&block);
	sigemptyset(&none);
	sigaddset(&block, SIGUSR1);
	handle(SIGUSR1, count, 0);
	sigprocmask(SIG_BLOCK, &block, &old);
	before = alarms;
	raise(SIGUSR1);
	burn(100000);
	printf("blocked %ld", alarms - before);
	sigsuspend(&none);
	printf(", then %ld, still blocked %d\n", alarms - before,
	       (sigprocmask(SIG_SETMASK, &old, &block), sigismember(&block, SIGUSR1)));
}

static void signals(void)
{
	struct sigaction was;
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };
	volatile int jumps = 0;

	alternate = stack.ss_sp;
	sigaltstack(&stack, NULL);
	handle(SIGALRM, count, SA_RESTART);
	tick(500);
	for (int i = 0; i < 400 && alarms < 50; i++)
		burn(1000000);
	tick(0);
	printf("alarms %s\n", alarms >= 50 ? "come" : "are lost");
	handle(SIGUSR2, nest, SA_NODEFER);
	raise(SIGUSR2);
	printf("nested %ld\n", deepest);
	handle(SIGUSR1, where, SA_ONSTACK);
	raise(SIGUSR1);
	printf("on the alternate stack %d\n", on_alternate);
	handle(SIGUSR1, count, SA_RESETHAND);
	raise(SIGUSR1);
	sigaction(SIGUSR1, NULL, &was);
	printf("reset %d\n", was.sa_handler == SIG_DFL);
	handle(SIGSEGV, jump, 0);
	handle(SIGUSR1, jump, 0);
	for (int i = 0; i < 100; i++)
		if (sigsetjmp(back, 1) == 0) {
			if (i % 2)
				raise(SIGUSR1);
			*(volatile int *)16 = 1;
		} else {
			jumps++;
		}
	printf("jumps %d\n", jumps);
	waits();
	reads(0);
	reads(SA_RESTART);
}

/* --- code that is made at run time, and changed --- */

static void made(void)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long sum = 0;

	for (int i = 0; i < 200; i++) {
		make_adder(code, i);
		__builtin___clear_cache((char *)code, (char *)code + 64);
		sum += ((long (*)(long))code)(burn(2000) % 1000);
	}
	printf("made %ld\n", sum);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = { { "flags", flags },       { "strings", strings }, { "operands", operands },
		      { "branches", branches }, { "vectors", vectors }, { "faults", faults },
		      { "made", made },         { "signals", signals } };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (argc < 2 || strcmp(argv[1], modes[i].name) == 0)
			modes[i].run();
	return 7;
}
