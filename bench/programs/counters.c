/*
 * counters.c [COUNTS [THREADS]] - each thread counts the bytes of a text in a counter of its own,
 * beside those of the others: false sharing, with some honest work between.
 */
#include <pthread.h>

#include "number.h"

enum { THREADS_MOST = 64, TEXT = 4096, COUNTED = 16 };

static volatile uint64_t counter[THREADS_MOST]; /* eight of them in one line */
static unsigned char text[TEXT];
static uint64_t counts;

static void *work(void *arg)
{
	volatile uint64_t *mine = arg;

	for (uint64_t i = 0; i < counts; i++) {
		uint64_t sum = 0;

		for (uint64_t j = 0; j < COUNTED; j++)
			sum += text[(i + j) % TEXT];
		*mine += sum;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	uint64_t threads, sum = 0;
	pthread_t thread[THREADS_MOST];

	counts = number(argc, argv, 1, 1200000);
	threads = number(argc, argv, 2, 4);
	if (threads > THREADS_MOST)
		threads = THREADS_MOST;
	for (uint64_t i = 0; i < TEXT; i++)
		text[i] = (unsigned char)(i * i % 251);
	for (uint64_t i = 0; i < threads; i++)
		if (pthread_create(&thread[i], NULL, work, (void *)&counter[i]) != 0) {
			fprintf(stderr, "counters: thread %llu could not be made\n",
				(unsigned long long)i);
			return 1;
		}
	for (uint64_t i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		sum += counter[i];
	}
	printf("counters %llu\n", (unsigned long long)sum);
	return 0;
}
