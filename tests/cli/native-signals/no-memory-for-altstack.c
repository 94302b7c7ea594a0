/*
 * Four threads, which work on a stack of 3 KiB each (makecontext) and look whether something else
 * writes below it. None of them blocks signals. Every second one sets an alternate stack of its
 * own, and finds it again.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { THREADS = 4, ROUNDS = 3000, WORDS = 512, BELOW = 16384, STACK = 3072 };

struct job {
	_Alignas(16) unsigned char below[BELOW], stack[STACK];
	ucontext_t here, there;
	volatile long words[WORDS];
};

static void *work(struct job *j)
{
	for (int r = 0; r < ROUNDS; r++)
		for (int i = 0; i < WORDS; i++)
			j->words[i * 7 % WORDS] += i;
	return j;
}

static void enter(unsigned high, unsigned low)
{
	work((struct job *)((uintptr_t)high << 32 | low));
}

static int is_changed(const struct job *j)
{
	for (int i = 0; i < BELOW; i++)
		if (j->below[i] != 0x5a)
			return 1;
	return 0;
}

static void *run(void *arg)
{
	struct job *j = aligned_alloc(16, sizeof(*j));
	stack_t own = { .ss_sp = malloc(SIGSTKSZ), .ss_size = SIGSTKSZ }, found = { 0 };
	long bad = 0;

	memset(j, 0, sizeof(*j));
	memset(j->below, 0x5a, BELOW);
	if (arg != NULL)
		bad += sigaltstack(&own, NULL) != 0;
	getcontext(&j->there);
	j->there.uc_stack.ss_sp = j->stack;
	j->there.uc_stack.ss_size = STACK;
	j->there.uc_link = &j->here;
	makecontext(&j->there, (void (*)(void))enter, 2, (unsigned)((uintptr_t)j >> 32),
		    (unsigned)(uintptr_t)j);
	swapcontext(&j->here, &j->there);
	bad += is_changed(j);
	bad += sigaltstack(NULL, &found) != 0 || (arg != NULL && found.ss_sp != own.ss_sp);
	return (void *)bad;
}

int main(void)
{
	pthread_t threads[THREADS];
	long bad = 0;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, i % 2 == 0 ? NULL : threads);
	for (int i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(threads[i], &result);
		bad += (long)result;
	}
	printf("%ld wrong\n", bad);
	return bad != 0;
}
