/*
 * scale_threads.c THREADS [AT ONCE] - each thread has a stack, a block and a thread-local variable;
 * so many are alive at the same time.
 */
#include <pthread.h>

#include "number.h"

static _Thread_local uint64_t own[64];
static pthread_barrier_t all_there;

static void *work(void *arg)
{
	uint64_t *block = room(64, sizeof(*block));

	pthread_barrier_wait(&all_there);
	for (uint64_t i = 0; i < 20000; i++) {
		own[i % 64] += i;
		block[own[i % 64] % 64]++;
	}
	*(uint64_t *)arg = own[7] + block[7];
	free(block);
	return NULL;
}

static uint64_t batch(uint64_t n)
{
	pthread_t *threads = room(n, sizeof(*threads));
	uint64_t *results = room(n, sizeof(*results)), sum = 0;

	pthread_barrier_init(&all_there, NULL, (unsigned)n);
	for (uint64_t i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, &results[i]) != 0) {
			fprintf(stderr, "threads: number %llu could not be made\n",
				(unsigned long long)i);
			exit(1);
		}
	for (uint64_t i = 0; i < n; i++) {
		pthread_join(threads[i], NULL);
		sum += results[i];
	}
	pthread_barrier_destroy(&all_there);
	free(threads);
	free(results);
	return sum;
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 1000), at_once = number(argc, argv, 2, 1000), sum = 0;

	for (uint64_t made = 0; made < n; made += at_once)
		sum += batch(n - made < at_once ? n - made : at_once);
	printf("threads %llu\n", (unsigned long long)sum);
	return 0;
}
