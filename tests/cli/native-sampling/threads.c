/*
 * Threads for windows that all of them share: some compute, some wait for each other,
 * some come and go, one has blocked all signals.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WORKERS = 3, ROUNDS = 60, SIZE = 20000 };

static pthread_barrier_t barrier;
static long sums[WORKERS];

static long burn(const long *data)
{
	long sum = 0;

	for (int turn = 0; turn < 20; turn++)
		for (int i = 0; i < SIZE; i++)
			sum += data[i] * (i ^ turn);
	return sum;
}

static void *work(void *arg)
{
	long me = (long)arg, *data = malloc(SIZE * sizeof(*data));

	for (int i = 0; i < SIZE; i++)
		data[i] = i * me;
	for (int round = 0; round < ROUNDS; round++) {
		sums[me] += burn(data);
		pthread_barrier_wait(&barrier);
	}
	free(data);
	return NULL;
}

static void *come_and_go(void *arg)
{
	long data[64], sum = 0;

	for (int i = 0; i < 64; i++)
		data[i] = i;
	for (int i = 0; i < 100000; i++)
		sum += data[i % 64];
	*(long *)arg += sum;
	return NULL;
}

static void *sleeper(void *arg)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	for (int i = 0; i < 20; i++)
		*(long *)arg += usleep(5000) == 0;
	return NULL;
}

int main(void)
{
	pthread_t workers[WORKERS], other, asleep;
	long coming = 0, slept = 0, sum = 0;

	pthread_barrier_init(&barrier, NULL, WORKERS);
	pthread_create(&asleep, NULL, sleeper, &slept);
	for (long i = 0; i < WORKERS; i++)
		pthread_create(&workers[i], NULL, work, (void *)i);
	for (int i = 0; i < 100; i++) {
		pthread_create(&other, NULL, come_and_go, &coming);
		pthread_join(other, NULL);
	}
	for (int i = 0; i < WORKERS; i++) {
		pthread_join(workers[i], NULL);
		sum += sums[i];
	}
	pthread_join(asleep, NULL);
	printf("%ld %ld, slept %ld times\n", sum, coming, slept);
	return 5;
}
