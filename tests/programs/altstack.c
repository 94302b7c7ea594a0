/*
 * build: -O1 -g -pthread
 *
 * altstack.c - what a program can see of its alternate signal stack. All that it prints is the same
 * whoever else has handlers in the process:
 *
 *    altstack reads      what sigaltstack() gives back and refuses, in the program, in a handler,
 * in a new thread and in a child altstack places     on which stack handlers run, with and without
 * SA_ONSTACK altstack disarmed   SS_AUTODISARM: a handler leaves its stack, and comes back altstack
 * leaves     handlers that are left by siglongjmp() altstack nested     handlers that interrupt
 * each other on one stack altstack waits      what is blocked in a handler that sigsuspend() has
 * waited for
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif

enum { SIZE = 65536, ROUNDS = 500 };
static char *memory;
static volatile uint64_t sink;

/* Long enough for samples and windows to come. */
static void work(int n)
{
	static volatile uint64_t table[1024];

	for (int i = 0; i < n; i++)
		table[i & 1023] += (uint64_t)i;
	sink += table[7];
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };

	sigaction(signal, &action, NULL);
}

static bool is_on(const void *address)
{
	return (uintptr_t)address - (uintptr_t)memory < SIZE;
}

/* The program's own, by name. */
static void show(const char *when)
{
	stack_t now;

	if (sigaltstack(NULL, &now) != 0)
		perror("sigaltstack");
	printf("%s: %s, size %zu, flags %x\n", when,
	       now.ss_sp == NULL     ? "none"
	       : now.ss_sp == memory ? "its own"
				     : "another",
	       now.ss_size, (unsigned)now.ss_flags);
}

static int set(void *start, size_t size, int flags)
{
	return sigaltstack(&(stack_t){ .ss_sp = start, .ss_size = size, .ss_flags = flags }, NULL);
}

static void try(const char *what, int result)
{
	printf("%s: %s\n", what, result == 0 ? "done" : strerror(errno));
}

/* --- reads --- */

static void read_inside(int signal, siginfo_t *info, void *context)
{
	const stack_t *shown = &((ucontext_t *)context)->uc_stack;

	(void)signal, (void)info;
	show("in the handler");
	printf("in the frame: %d, size %zu\n", shown->ss_sp == memory, shown->ss_size);
	try("another one in the handler", set(memory, SIZE, 0));
	try("none in the handler", set(NULL, 0, SS_DISABLE));
}

static void *read_in_thread(void *unused)
{
	(void)unused;
	show("in a thread");
	set(memory, SIZE, 0);
	show("in a thread, set");
	return NULL;
}

static void reads(void)
{
	stack_t old;
	pthread_t thread;

	show("at first");
	try("too small", set(memory, 1024, 0));
	try("wrong flags", set(memory, SIZE, 4));
	try("from nowhere", sigaltstack((const stack_t *)8, NULL));
	try("to nowhere", sigaltstack(NULL, (stack_t *)8));
	show("after all that");
	pthread_create(&thread, NULL, read_in_thread, NULL);
	pthread_join(thread, NULL);
	show("after a thread");
	try("set", set(memory, SIZE, 0));
	work(3000000);
	show("set");
	handle(SIGUSR1, read_inside, SA_ONSTACK);
	raise(SIGUSR1);
	show("after the handler");
	fflush(stdout);
	if (fork() == 0) {
		show("in a child");
		set(NULL, 0, SS_DISABLE);
		show("in a child, gone");
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
	try("with a flag", set(memory, SIZE, (int)SS_AUTODISARM));
	show("with a flag");
	sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, &old);
	printf("before: %d, size %zu, flags %x\n", old.ss_sp == memory, old.ss_size,
	       (unsigned)old.ss_flags);
	work(3000000);
	show("gone");
}

/* --- places --- */

static volatile int on, off;

static void place(int signal, siginfo_t *info, void *context)
{
	char here;

	(void)signal, (void)info, (void)context;
	if (is_on(&here))
		on++;
	else
		off++;
	work(50000);
}

static void count_places(const char *what)
{
	on = off = 0;
	for (int i = 0; i < ROUNDS; i++) {
		raise(SIGUSR1);
		work(50000);
	}
	printf("%s: %d on it, %d elsewhere\n", what, on, off);
}

static void places(void)
{
	struct sigaction was;

	handle(SIGUSR1, place, SA_ONSTACK);
	count_places("no stack");
	set(memory, SIZE, 0);
	count_places("SA_ONSTACK");
	sigaction(SIGUSR1, NULL, &was);
	printf("the same handler %d, SA_ONSTACK %d\n", was.sa_sigaction == place,
	       (was.sa_flags & SA_ONSTACK) != 0);
	handle(SIGUSR1, place, 0);
	count_places("without");
	handle(SIGUSR1, place, SA_ONSTACK | SA_RESETHAND);
	raise(SIGUSR1);
	sigaction(SIGUSR1, NULL, &was);
	printf("once, then the default %d\n", was.sa_handler == SIG_DFL);
	handle(61, place, SA_ONSTACK);
	on = off = 0;
	for (int i = 0; i < ROUNDS; i++) {
		raise(61);
		work(50000);
	}
	printf("signal 61: %d\n", on + off);
}

/* --- disarmed --- */

static ucontext_t in_handler, elsewhere;
static volatile long kept_wrong, came_back;
static char other[SIZE];

static void run_elsewhere(void)
{
	for (;;) {
		work(50000);
		swapcontext(&elsewhere, &in_handler);
	}
}

/* Its frame stays, while others come: the stack is not armed. */
static void come_back(int signal, siginfo_t *info, void *context)
{
	volatile unsigned char kept[2048];

	(void)signal, (void)info, (void)context;
	memset((void *)kept, 0x5a, sizeof(kept));
	swapcontext(&in_handler, &elsewhere);
	for (size_t i = 0; i < sizeof(kept); i++)
		kept_wrong += kept[i] != 0x5a;
	came_back++;
}

static void disarmed(void)
{
	struct sigaction action = { .sa_sigaction = come_back,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };

	set(memory, SIZE, (int)SS_AUTODISARM);
	getcontext(&elsewhere);
	elsewhere.uc_stack.ss_sp = other;
	elsewhere.uc_stack.ss_size = sizeof(other);
	makecontext(&elsewhere, run_elsewhere, 0);
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		raise(SIGUSR1);
		work(50000);
	}
	show("after it");
	printf("%ld came back, %ld wrong\n", came_back, kept_wrong);
}

/* --- leaves --- */

static sigjmp_buf back;

static void leave(int signal, siginfo_t *info, void *context)
{
	char here;

	(void)signal, (void)info, (void)context;
	if (is_on(&here))
		on++;
	work(50000);
	siglongjmp(back, 1);
}

static void leaves(void)
{
	int *volatile nowhere = (int *)16;
	volatile int left = 0;

	set(memory, SIZE, 0);
	handle(SIGSEGV, leave, SA_ONSTACK);
	handle(SIGUSR1, leave, SA_ONSTACK);
	while (left < ROUNDS)
		if (sigsetjmp(back, 1) != 0)
			left++;
		else if (left % 2)
			*nowhere = 1;
		else
			raise(SIGUSR1);
	printf("%d on it\n", on);
	show("left");
}

/* --- nested --- */

static volatile long inner, wrong;

static void count_inner(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	wrong += info->si_signo != SIGALRM;
	inner++;
}

static void outer(int signal, siginfo_t *info, void *context)
{
	volatile unsigned char kept[4096];

	(void)signal, (void)info, (void)context;
	memset((void *)kept, 0x5a, sizeof(kept));
	raise(SIGALRM);
	work(50000);
	for (size_t i = 0; i < sizeof(kept); i++)
		wrong += kept[i] != 0x5a;
	wrong += !is_on((void *)kept);
	on++;
}

static void nested(void)
{
	const struct timeval each = { .tv_usec = 500 };

	set(memory, SIZE, 0);
	handle(SIGALRM, count_inner, SA_ONSTACK | SA_RESTART);
	handle(SIGUSR1, outer, SA_ONSTACK);
	setitimer(ITIMER_REAL, &(struct itimerval){ each, each }, NULL);
	while (on < ROUNDS)
		raise(SIGUSR1);
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	printf("%d handlers, interrupted %d, %ld wrong\n", on, inner >= ROUNDS, wrong);
}

/* --- waits --- */

static sigset_t inside;

static void look(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)info;
	sigprocmask(SIG_BLOCK, NULL, &inside);
	on += sigismember(&((ucontext_t *)context)->uc_sigmask, SIGUSR2);
}

static void waits(void)
{
	struct sigaction action = { .sa_sigaction = look, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	sigset_t some, meanwhile;
	int members[4] = { 0 };

	set(memory, SIZE, 0);
	sigaddset(&action.sa_mask, SIGTERM);
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&some);
	sigaddset(&some, SIGUSR1);
	sigaddset(&some, SIGUSR2);
	sigemptyset(&meanwhile);
	sigaddset(&meanwhile, SIGHUP);
	sigprocmask(SIG_BLOCK, &some, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		work(50000);
		raise(SIGUSR1);
		sigsuspend(&meanwhile);
		members[0] += sigismember(&inside, SIGUSR1);
		members[1] += sigismember(&inside, SIGUSR2);
		members[2] += sigismember(&inside, SIGTERM);
		members[3] += sigismember(&inside, SIGHUP);
	}
	printf("blocked in it: itself %d, SIGUSR2 %d, SIGTERM %d, SIGHUP %d; after it %d\n",
	       members[0], members[1], members[2], members[3], on);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = { { "reads", reads },   { "places", places }, { "disarmed", disarmed },
		      { "leaves", leaves }, { "nested", nested }, { "waits", waits } };

	memory = malloc(SIZE);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (argc == 2 && strcmp(argv[1], modes[i].name) == 0) {
			modes[i].run();
			return 0;
		}
	fprintf(stderr, "usage: altstack reads|places|disarmed|leaves|nested|waits\n");
	return 1;
}
