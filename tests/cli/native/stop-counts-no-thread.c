/*
 * stop - counting is switched off and on by one thread, while another one works: prints nothing.
 *
 * The other thread reads EACH elements in each of three parts; the middle one is not counted.
 */
#include <pthread.h>

#include "memspy.h"

enum { EACH = 200000 };

static pthread_barrier_t turn;
static volatile long data[512];

__attribute__((noinline)) static long read_part(void)
{
	long sum = 0;

	for (int i = 0; i < EACH; i++)
		sum += data[i % 512];
	return sum;
}

static void *work(void *arg)
{
	for (int part = 0; part < 3; part++) {
		pthread_barrier_wait(&turn);
		read_part();
		pthread_barrier_wait(&turn);
	}
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_barrier_init(&turn, NULL, 2);
	pthread_create(&thread, NULL, work, NULL);
	for (int part = 0; part < 3; part++) {
		if (part == 1)
			MEMSPY_STOP();
		if (part == 2)
			MEMSPY_START();
		pthread_barrier_wait(&turn);
		pthread_barrier_wait(&turn);
	}
	pthread_join(thread, NULL);
	return 0;
}
