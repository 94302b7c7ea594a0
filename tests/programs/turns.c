/*
 * Two threads take turns: each increments a counter 4000 times, the other one in between. Every
 * increment but the first of each thread misses, because the other thread has invalidated the line:
 * 7998 invalidations. How they wait for each other is the first argument: cond, sem, or spin (on an
 * atomic flag).
 *
 * table: main fills a table that four threads read. No thread writes what another one reads: no
 * invalidations.
 *
 * rare: four threads read a table whose lines one of them writes now and then, as a whole and while
 * the others wait. What is read after that has been written: no invalidation is false.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
	TURNS = 4000,
	ENTRIES = 1024,
	ROUNDS = 100,
	READERS = 4,
	LINES = 16,
	WRITES = 50,
	READS = 200
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static sem_t turns[2];
static atomic_int flag;
/* Readers do not keep the writer waiting. */
static pthread_rwlock_t guard = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static volatile long lines[LINES][8] __attribute__((aligned(256)));
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

static void *spin_turns(void *arg)
{
	int own = (int)(long)arg;

	for (int i = 0; i < TURNS; i++) {
		while (atomic_load_explicit(&flag, memory_order_acquire) != own)
			;
		counter.value++;
		atomic_store_explicit(&flag, !own, memory_order_release);
	}
	return NULL;
}

static void write_lines(void)
{
	for (int line = 0; line < LINES; line++)
		for (int i = 0; i < 8; i++)
			lines[line][i] = lines[line][i] + 1;
}

static void *use_lines(void *arg)
{
	long own = (long)arg;

	for (int round = 0; round < WRITES * READS; round++) {
		bool writes = own == 0 && round % READS == READS - 1;

		if (writes)
			pthread_rwlock_wrlock(&guard);
		else
			pthread_rwlock_rdlock(&guard);
		if (writes)
			write_lines();
		for (int line = 0; line < LINES && !writes; line++)
			sums[own][0] += lines[line][round % 8];
		pthread_rwlock_unlock(&guard);
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

static const struct {
	const char *name;
	void *(*call)(void *);
	long threads;
} modes[] = {
	{ "cond", take_turns, 2 },      { "sem", post_turns, 2 },         { "spin", spin_turns, 2 },
	{ "rare", use_lines, READERS }, { "table", read_table, READERS },
};

int main(int argc, char *argv[])
{
	const char *how = argc > 1 ? argv[1] : "cond";

	for (int i = 0; i < ENTRIES; i++)
		table[i] = i;
	sem_init(&turns[0], 0, 1);
	sem_init(&turns[1], 0, 0);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(how, modes[i].name) == 0)
			run(modes[i].call, modes[i].threads);
	printf("%ld %ld\n", counter.value, sums[0][0]);
	return 0;
}
