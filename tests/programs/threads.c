/* build: -O1 -g -pthread
   Four threads, each writes its own array, then all read the first. */
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, N = 20000 };

static volatile long own[THREADS][N];
static volatile long *heap[THREADS];

static __attribute__((noinline)) void fill(volatile long *p)
{
	for (int i = 0; i < N; i++)
		p[i] = i;
}

static __attribute__((noinline)) long sum(volatile long *p)
{
	long total = 0;

	for (int i = 0; i < N; i++)
		total += p[i];
	return total;
}

static void *work(void *arg)
{
	long me = (long)arg;

	volatile long *mine = malloc(N * sizeof(long));
	heap[me] = mine;
	fill(own[me]);
	fill(mine);
	return (void *)sum(own[me]);
}

int main(void)
{
	pthread_t thread[THREADS];

	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)i) != 0)
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	for (int i = 0; i < THREADS; i++)
		if (sum(heap[i]) != (long)N * (N - 1) / 2)
			return 2;
	return 0;
}
