/*
 * Callers of a function that runs all the time: windows begin inside scan(). It is called below a
 * recursion that is deeper than a front-end reports, and by two threads.
 */
#include <pthread.h>
#include <stdlib.h>

enum { BYTES = 1 << 18, LINE = 64, ROUNDS = 1000, DEPTH = 600 };

__attribute__((noinline)) static long scan(const char *block)
{
	long sum = 0;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < BYTES; i += LINE)
			sum += *(const volatile char *)&block[i];
	return sum;
}

__attribute__((noinline)) static long descend(const char *block, int depth)
{
	return (depth == 0 ? scan(block) : descend(block, depth - 1)) + 1;
}

__attribute__((noinline)) static void *first(void *block)
{
	return (void *)(scan(block) + 1);
}

__attribute__((noinline)) static void *second(void *block)
{
	return (void *)(scan(block) + 2);
}

int main(void)
{
	char *block = calloc(1, BYTES);
	void *(*const starts[])(void *) = { first, second };
	long sum = descend(block, DEPTH);

	/* One after the other: a window belongs mostly to one of the threads that run. */
	for (int i = 0; i < 2; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, starts[i], block);
		pthread_join(thread, NULL);
	}
	free(block);
	return sum == DEPTH + 1 ? 0 : 1;
}
