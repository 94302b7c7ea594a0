/*
 * Functions that grow their stack in pieces (gcc -fsplit-stack): a recursion that is deeper than
 * the first piece, in threads with small stacks, while signals come. Their handler runs on an
 * alternate stack, as such programs need it: a piece has no room for a signal frame.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

enum { THREADS = 3, DEPTH = 400, ROUNDS = 300, STACK = 65536 };

static volatile sig_atomic_t ticks;

static __attribute__((no_split_stack)) void tick(int signal)
{
	(void)signal;
	ticks++;
}

static __attribute__((noinline)) long deep(long n)
{
	volatile char room[512];

	memset((char *)room, (int)n, sizeof(room));
	return n == 0 ? 0 : deep(n - 1) + room[n % 512] - (char)n + 1;
}

static void *run(void *stack)
{
	long sum = 0;
	sigset_t alarms;

	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = STACK }, NULL);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
	for (int i = 0; i < ROUNDS; i++)
		sum += deep(DEPTH);
	return (void *)sum;
}

int main(void)
{
	const struct itimerval each = { { 0, 2000 }, { 0, 2000 } };
	pthread_attr_t small;
	static char stacks[THREADS + 1][STACK];
	pthread_t threads[THREADS];
	sigset_t alarms;
	long sum = 0;

	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = tick, .sa_flags = SA_ONSTACK }, NULL);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarms, NULL); /* until a thread has its stack */
	setitimer(ITIMER_REAL, &each, NULL);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], &small, run, stacks[i]);
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		sum += (long)result;
	}
	printf("%ld\n", sum + (long)run(stacks[THREADS]));
	return 0;
}
