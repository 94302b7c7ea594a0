/*
 * Two threads take turns: each increments a counter 4000 times, the other one in between. Every
 * increment but the first of each thread misses, because the other thread has invalidated the line:
 * 7998 invalidations. How they wait for each other is the first argument: cond or sem.
 *
 * table: main fills a table that four threads read. No thread writes what another one reads: no
 * invalidations.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

enum { TURNS = 4000, ENTRIES = 1024, ROUNDS = 100, READERS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static sem_t turns[2];
/* Alone in its line. */
static struct {
	volatile long value;
	char rest[248];
} counter __attribute__((aligned(256)));
static int table[ENTRIES] __attribute__((aligned(256)));
static volatile long sums[READERS][64] __attribute__((aligned(256)));

static void *take_turns(void *arg)
{
	int own = (int)(long)arg;

	for (int i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&lock);
		while (turn != own)
			pthread_cond_wait(&changed, &lock);
		counter.value++;
		turn = !own;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *post_turns(void *arg)
{
	int own = (int)(long)arg;

	for (int i = 0; i < TURNS; i++) {
		sem_wait(&turns[own]);
		counter.value++;
		sem_post(&turns[!own]);
	}
	return NULL;
}

static void *read_table(void *arg)
{
	long own = (long)arg;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < ENTRIES; i++)
			sums[own][0] += table[i];
	return NULL;
}

static void run(void *(*call)(void *), long n)
{
	pthread_t threads[READERS];

	for (long i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, call, (void *)i);
	for (long i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

int main(int argc, char *argv[])
{
	const char *how = argc > 1 ? argv[1] : "cond";

	for (int i = 0; i < ENTRIES; i++)
		table[i] = i;
	sem_init(&turns[0], 0, 1);
	sem_init(&turns[1], 0, 0);
	if (strcmp(how, "table") == 0)
		run(read_table, READERS);
	else
		run(strcmp(how, "sem") == 0 ? post_turns : take_turns, 2);
	printf("%ld %ld\n", counter.value, sums[0][0]);
	return 0;
}
