/* Works while timers interrupt it all the time: handlers on the usual stack and on another,
   handlers that are left by siglongjmp, signals within signals, to threads, and with values. It
   prints what it has worked out, which must not depend on when the signals came. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { TICKS = 200, THREADS = 4, JUMPS = 300, VALUES = 64 };

static volatile sig_atomic_t ticks, nested, stray;
static char other_stack[64 << 10];

static void handle(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };

	sigemptyset(&action.sa_mask);
	if (sigaction(number, &action, NULL) != 0)
		exit(3);
}

/* Integers, doubles and strings: registers of all kinds are in use when a signal comes. */
static __attribute__((noinline)) uint64_t work(uint64_t seed, int n)
{
	char text[64], copy[64];
	double sum = 0;

	for (int i = 0; i < n; i++) {
		seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
		sum = sum * 0.5 + (double)(seed >> 12);
		memset(text, (int)(seed & 0x7f), sizeof(text));
		memcpy(copy, text, sizeof(copy));
		seed += (unsigned char)copy[seed % sizeof(copy)];
	}
	return seed ^ (uint64_t)sum;
}

static void tick(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	ticks++;
	if (ticks % 8 == 0)
		raise(SIGUSR2);
}

static void tick_elsewhere(int number, siginfo_t *info, void *context)
{
	char here;

	(void)number, (void)info, (void)context;
	if (&here < other_stack || &here >= other_stack + sizeof(other_stack))
		stray++;
	ticks++;
	work((uint64_t)ticks, 3);
}

static void within(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	nested++;
}

static void under_timer(const char *what, int clock, int number)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = number };
	struct itimerspec every = { { 0, 300000 }, { 0, 300000 } }, never = { 0 };
	uint64_t sum = 0;
	timer_t timer;

	if (timer_create(clock, &event, &timer) != 0)
		exit(4);
	ticks = 0;
	timer_settime(timer, 0, &every, NULL);
	for (int i = 0; i < 200 || ticks < TICKS; i++) {
		uint64_t one = work((uint64_t)(i % 200 + 1), 200);

		if (i < 200)
			sum += one;
		else if (one != work((uint64_t)(i % 200 + 1), 200))
			printf("%s: another result in round %d\n", what, i);
	}
	timer_settime(timer, 0, &never, NULL);
	timer_delete(timer);
	printf("%s: %llx, %d on another stack than wanted\n", what, (unsigned long long)sum,
	       (int)stray);
}

static sigjmp_buf out;

static void jump(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	siglongjmp(out, 1);
}

/* An endless loop that only its handler can leave. */
static void jumps(void)
{
	struct itimerval once = { { 0, 0 }, { 0, 200 } };
	static volatile int jumped;
	static volatile uint64_t sum;

	while (jumped < JUMPS) {
		if (sigsetjmp(out, 1) != 0) {
			jumped++;
			continue;
		}
		sum += work((uint64_t)jumped + 1, 20);
		setitimer(ITIMER_REAL, &once, NULL);
		for (;;)
			work(1, 5);
	}
	printf("jumps: %d, %llx\n", jumped, (unsigned long long)sum);
}

static volatile int value_sum;

static void value(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	value_sum += info->si_value.sival_int;
}

/* Real-time signals queue: none may get lost. */
static void values(void)
{
	sigset_t set, old;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 3);
	sigprocmask(SIG_BLOCK, &set, &old);
	for (int i = 1; i <= VALUES; i++)
		sigqueue(getpid(), SIGRTMIN + 3, (union sigval){ .sival_int = i });
	sigprocmask(SIG_SETMASK, &old, NULL);
	for (int i = 1; i <= VALUES; i++)
		sigqueue(getpid(), SIGRTMIN + 3, (union sigval){ .sival_int = 1000 * i });
	printf("values: %d\n", value_sum);
}

static volatile int asked[THREADS], ended;
static _Thread_local volatile int me = -1;

static void count_request(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info, (void)context;
	if (me >= 0)
		asked[me]++;
}

static void *worker(void *arg)
{
	uint64_t sum = 0;

	me = (int)(intptr_t)arg;
	for (int i = 0; i < 200 || asked[me] < 20; i++)
		sum += i < 200 ? work((uint64_t)(me + 1), 200) : 0;
	__atomic_add_fetch(&ended, 1, __ATOMIC_SEQ_CST);
	while (ended < THREADS)
		sched_yield();
	return (void *)(uintptr_t)sum;
}

static void threads(void)
{
	pthread_t thread[THREADS];

	for (intptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, worker, (void *)i) != 0)
			exit(5);
	while (ended < THREADS) {
		for (int i = 0; i < THREADS; i++)
			if (asked[i] < 20)
				pthread_kill(thread[i], SIGUSR1);
		usleep(200);
	}
	for (int i = 0; i < THREADS; i++) {
		void *sum = NULL;

		pthread_join(thread[i], &sum);
		printf("thread %d: %llx\n", i, (unsigned long long)(uintptr_t)sum);
	}
}

int main(void)
{
	stack_t stack = { .ss_sp = other_stack, .ss_size = sizeof(other_stack) };

	sigaltstack(&stack, NULL);
	handle(SIGUSR2, within, 0);
	handle(SIGRTMIN, tick, SA_RESTART);
	handle(SIGRTMIN + 1, tick_elsewhere, SA_RESTART | SA_ONSTACK);
	handle(SIGRTMIN + 2, tick_elsewhere, SA_ONSTACK | SA_NODEFER);
	handle(SIGRTMIN + 3, value, 0);
	handle(SIGALRM, jump, 0);
	handle(SIGUSR1, count_request, SA_RESTART);
	under_timer("usual stack", CLOCK_MONOTONIC, SIGRTMIN);
	under_timer("another stack", CLOCK_MONOTONIC, SIGRTMIN + 1);
	under_timer("CPU time", CLOCK_PROCESS_CPUTIME_ID, SIGRTMIN + 2);
	printf("nested: %s\n", nested >= TICKS / 8 ? "yes" : "no");
	jumps();
	values();
	threads();
	return 17;
}
