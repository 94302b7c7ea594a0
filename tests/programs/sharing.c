/* build: -O1 -g -pthread
   sharing near|apart|one [THREADS]: each thread counts to N, on counters that lie in one line, on
   counters that lie in lines of their own, or all on one counter. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5000, THREADS_MOST = 8, APART = 256 };

static struct {
	_Alignas(64) volatile long first;
	volatile long second;
	volatile long others[THREADS_MOST - 2];
} near;

static struct {
	_Alignas(APART) volatile long count;
} apart[THREADS_MOST];

static _Alignas(64) atomic_long one;

/* A function for each counter: the lines of code that fight over a line. */
static __attribute__((noinline)) void count_first(void)
{
	for (int i = 0; i < N; i++)
		near.first++;
}

static __attribute__((noinline)) void count_second(void)
{
	for (int i = 0; i < N; i++)
		near.second++;
}

static __attribute__((noinline)) void count_other(long me)
{
	for (int i = 0; i < N; i++)
		near.others[me - 2]++;
}

static __attribute__((noinline)) void count_apart(long me)
{
	for (int i = 0; i < N; i++)
		apart[me].count++;
}

static __attribute__((noinline)) void count_one(void)
{
	for (int i = 0; i < N; i++)
		atomic_fetch_add(&one, 1);
}

static const char *how;
static pthread_barrier_t start;

static void *work(void *arg)
{
	long me = (long)arg;

	pthread_barrier_wait(&start);
	if (strcmp(how, "apart") == 0)
		count_apart(me);
	else if (strcmp(how, "one") == 0)
		count_one();
	else if (me == 0)
		count_first();
	else if (me == 1)
		count_second();
	else
		count_other(me);
	return NULL;
}

static long total(void)
{
	long sum = near.first + near.second + one;

	for (int i = 0; i < THREADS_MOST; i++)
		sum += apart[i].count + (i < THREADS_MOST - 2 ? near.others[i] : 0);
	return sum;
}

int main(int argc, char **argv)
{
	long threads = argc > 2 ? atol(argv[2]) : 2;
	pthread_t thread[THREADS_MOST];

	how = argc > 1 ? argv[1] : "";
	if ((strcmp(how, "near") && strcmp(how, "apart") && strcmp(how, "one")) || threads < 1 ||
	    threads > THREADS_MOST) {
		fprintf(stderr, "usage: sharing near|apart|one [THREADS], 1 to %d threads\n",
			THREADS_MOST);
		return 2;
	}
	pthread_barrier_init(&start, NULL, (unsigned)threads);
	for (long i = 1; i < threads; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i) != 0)
			return 3;
	work(NULL); /* the first thread counts too */
	for (long i = 1; i < threads; i++)
		pthread_join(thread[i], NULL);
	return total() != threads * N;
}
