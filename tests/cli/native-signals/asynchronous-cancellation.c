/* Threads that may be cancelled at any moment, and are: by the first pthread_cancel() of the
 * program. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { THREADS = 4, CELLS = 4096 };
static volatile int ready;

static void *compute(void *arg)
{
	volatile long cells[CELLS] = { 0 };

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	__sync_fetch_and_add(&ready, 1);
	for (long i = 0;; i++)
		cells[i % CELLS] += i;
	return arg;
}

int main(void)
{
	pthread_t thread[THREADS];
	struct timespec ran = { 0, 0 };
	void *end;
	int cancelled = 0;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, compute, NULL);
	while (ready < THREADS || (ran.tv_sec == 0 && ran.tv_nsec < 20000000))
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
	for (int i = 0; i < THREADS; i++)
		pthread_cancel(thread[i]);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &end);
		cancelled += end == PTHREAD_CANCELED;
	}
	printf("%d cancelled\n", cancelled);
	return 0;
}
