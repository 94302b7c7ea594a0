/*
 * Sets handlers all the time, finds those that it has set before, and has other
 * threads jump out of them, wherever these are just then.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { WORDS = 4096, TIMES = 150, WORKERS = 3 };

static volatile long table[WORDS];
static _Thread_local sigjmp_buf back;
static _Thread_local volatile int ready;
static atomic_int over;

static void work(int rounds)
{
	for (int r = 0; r < rounds; r++)
		for (int i = 0; i < WORDS; i++)
			table[i] += i;
}

static void jump(int signal)
{
	(void)signal;
	if (ready)
		siglongjmp(back, 1);
}

static void stay(int signal)
{
	(void)signal;
}

static void *compute(void *unused)
{
	sigsetjmp(back, 1);
	ready = 1;
	while (!over)
		work(1);
	ready = 0;
	return unused;
}

int main(void)
{
	struct sigaction wanted = { .sa_handler = SIG_IGN }, was;
	pthread_t workers[WORKERS];
	int wrong = 0;

	signal(SIGUSR2, stay);
	sigaction(SIGUSR1, &wanted, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, compute, NULL);
	for (int i = 0; i < TIMES; i++) {
		wanted.sa_handler = jump;
		sigaction(SIGUSR1, &wanted, &was);
		wrong += was.sa_handler != SIG_IGN;
		for (int k = 0; k < WORKERS; k++)
			pthread_kill(workers[k], SIGUSR1);
		wrong += signal(SIGUSR2, i % 2 ? stay : jump) != (i % 2 ? jump : stay);
		work(5);
		usleep(300);
		wanted.sa_handler = SIG_IGN;
		sigaction(SIGUSR1, &wanted, &was);
		wrong += was.sa_handler != jump || (was.sa_flags & SA_SIGINFO) != 0;
	}
	over = 1;
	for (int i = 0; i < WORKERS; i++)
		pthread_join(workers[i], NULL);
	printf("%d wrong\n", wrong);
	return 0;
}
