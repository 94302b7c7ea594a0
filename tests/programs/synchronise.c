/* build: -O1 -g -fopenmp -pthread
 *
 * Threads that synchronise in the way that the first argument names. What the caches of two or more
 * processors count follows from the synchronisation alone:
 *
 * Turns (pause, yield, exchange, futex, c11, barrier, omp, pipe, eventfd): two threads increment a
 * counter 4000 times each, the other one in between. Every increment but the first of each thread
 * misses, because the other thread has invalidated the line: 7998 invalidations in take_turn().
 *
 * Locks (mutex, spinlock, exchange-lock, ticket, mtx, rwlock, critical): four threads use a line in
 * a critical section, first in enter(), then several times in inside(). No other thread has the
 * lock meanwhile: no invalidations in inside().
 *
 * Tables (mutex-table, rwlock-table, mutex-rare, rwlock-rare, swap): four threads read a table.
 * Where no thread writes what another one has read, there are no invalidations of it. In the rare
 * modes, one of them writes the table now and then, as a whole and while no other reads. A thread
 * then misses in each of its 16 lines, if it has read them before: the program prints how many
 * misses these are. None are by false sharing.
 *
 * seqlock: likewise, but a reader may see a part of what is written, and repeats. The program
 * prints how often; each time, it may miss once in each line by false sharing.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

enum {
	TURNS = 4000,
	USERS = 4,
	SECTIONS = 3000,
	LINES = 16,
	WRITES = 30,
	READS = 150, /* of the table, for each time that it is written */
	APART = 256,
};

#define ALONE __attribute__((aligned(APART)))

/* --- turns --- */

static ALONE struct {
	volatile long value;
	char rest[APART - sizeof(long)];
} counter;
static ALONE atomic_int flag;
static ALONE struct {
	mtx_t lock;
	cnd_t changed;
	int turn;
} c11;
static pthread_barrier_t barrier;
static int pipes[2][2], events[2];

__attribute__((noinline)) static void take_turn(void)
{
	counter.value++;
}

static void pause_processor(void)
{
#ifdef __x86_64__
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void turn_pause(int own)
{
	while (atomic_load_explicit(&flag, memory_order_acquire) != own)
		pause_processor();
	take_turn();
	atomic_store_explicit(&flag, !own, memory_order_release);
}

static void turn_yield(int own)
{
	while (atomic_load(&flag) != own)
		sched_yield();
	take_turn();
	atomic_store(&flag, !own);
}

static void turn_exchange(int own)
{
	for (int expected = own; !atomic_compare_exchange_weak(&flag, &expected, 2); expected = own)
		;
	take_turn();
	atomic_exchange(&flag, !own);
}

static void turn_futex(int own)
{
	int now;

	while ((now = atomic_load(&flag)) != own)
		syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, now, NULL, NULL, 0);
	take_turn();
	atomic_store(&flag, !own);
	syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void turn_c11(int own)
{
	mtx_lock(&c11.lock);
	while (c11.turn != own)
		cnd_wait(&c11.changed, &c11.lock);
	take_turn();
	c11.turn = !own;
	cnd_signal(&c11.changed);
	mtx_unlock(&c11.lock);
}

static void turn_barrier(int own)
{
	for (int turn = 0; turn < 2; turn++) {
		if (turn == own)
			take_turn();
		pthread_barrier_wait(&barrier);
	}
}

static void turn_omp(int own)
{
	for (int turn = 0; turn < 2; turn++) {
		if (turn == own)
			take_turn();
#pragma omp barrier
	}
}

static void turn_pipe(int own)
{
	char token = 'x';

	if (read(pipes[own][0], &token, 1) != 1)
		return;
	take_turn();
	if (write(pipes[!own][1], &token, 1) != 1)
		return;
}

static void turn_eventfd(int own)
{
	uint64_t token = 1;

	if (read(events[own], &token, sizeof(token)) != sizeof(token))
		return;
	take_turn();
	if (write(events[!own], &token, sizeof(token)) != sizeof(token))
		return;
}

static void prepare_turns(void)
{
	mtx_init(&c11.lock, mtx_plain);
	cnd_init(&c11.changed);
	pthread_barrier_init(&barrier, NULL, 2);
	for (int i = 0; i < 2; i++) {
		if (pipe(pipes[i]) != 0)
			return;
		events[i] = eventfd(i == 0, 0);
	}
	if (write(pipes[0][1], "x", 1) != 1)
		return;
}

/* --- locks --- */

static ALONE volatile long shared[APART / sizeof(long)];
static ALONE pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static ALONE pthread_spinlock_t spinlock;
static ALONE atomic_int taken;
static ALONE atomic_uint next_ticket;
static ALONE atomic_uint now_serving;
static ALONE mtx_t mtx;
/* Readers do not keep the writer waiting. */
static ALONE pthread_rwlock_t rwlock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

__attribute__((noinline)) static void enter(void)
{
	shared[0]++;
}

__attribute__((noinline)) static void inside(void)
{
	for (int i = 0; i < 24; i++)
		shared[i % 8]++;
}

static void use_mutex(void)
{
	pthread_mutex_lock(&mutex);
	enter();
	inside();
	pthread_mutex_unlock(&mutex);
}

static void use_spinlock(void)
{
	pthread_spin_lock(&spinlock);
	enter();
	inside();
	pthread_spin_unlock(&spinlock);
}

static void use_exchange_lock(void)
{
	while (atomic_exchange_explicit(&taken, 1, memory_order_acquire) != 0)
		pause_processor();
	enter();
	inside();
	atomic_store_explicit(&taken, 0, memory_order_release);
}

static void use_ticket(void)
{
	unsigned ticket = atomic_fetch_add(&next_ticket, 1);

	while (atomic_load_explicit(&now_serving, memory_order_acquire) != ticket)
		pause_processor();
	enter();
	inside();
	atomic_store_explicit(&now_serving, ticket + 1, memory_order_release);
}

static void use_mtx(void)
{
	mtx_lock(&mtx);
	enter();
	inside();
	mtx_unlock(&mtx);
}

static void use_rwlock(void)
{
	pthread_rwlock_wrlock(&rwlock);
	enter();
	inside();
	pthread_rwlock_unlock(&rwlock);
}

static void use_critical(void)
{
#pragma omp critical
	{
		enter();
		inside();
	}
}

/* --- tables --- */

static ALONE volatile long lines[LINES][8];
static ALONE volatile long versions[WRITES + 1][LINES][8];
static ALONE volatile long sums[USERS][APART / sizeof(long)];
static ALONE _Atomic(volatile long (*)[8]) published = versions[0];
static ALONE atomic_uint sequence;
static ALONE volatile long version;
static ALONE volatile struct {
	long seen; /* the last version that the thread has read or written, plus 1 */
	long misses, repeated;
	char rest[APART - 3 * sizeof(long)];
} readers[USERS];

/* The caller has the lock. */
static void see_version(int own)
{
	if (readers[own].seen != 0 && readers[own].seen != version + 1)
		readers[own].misses += LINES;
	readers[own].seen = version + 1;
}

__attribute__((noinline)) static void read_lines(int own, int round, volatile long (*from)[8])
{
	for (int line = 0; line < LINES; line++)
		sums[own][0] += from[line][round % 8];
}

__attribute__((noinline)) static void write_lines(volatile long (*to)[8])
{
	for (int line = 0; line < LINES; line++)
		for (int i = 0; i < 8; i++)
			to[line][i]++;
}

static bool is_write(int own, int round)
{
	return own == 0 && round % READS == READS - 1;
}

static void use_lines(int own, int round, bool writes)
{
	see_version(own);
	if (!writes) {
		read_lines(own, round, lines);
		return;
	}
	write_lines(lines);
	version++;
	readers[own].seen = version + 1;
}

static void table_mutex(int own, int round, bool rare)
{
	pthread_mutex_lock(&mutex);
	use_lines(own, round, rare && is_write(own, round));
	pthread_mutex_unlock(&mutex);
}

static void table_rwlock(int own, int round, bool rare)
{
	bool writes = rare && is_write(own, round);

	if (writes)
		pthread_rwlock_wrlock(&rwlock);
	else
		pthread_rwlock_rdlock(&rwlock);
	use_lines(own, round, writes);
	pthread_rwlock_unlock(&rwlock);
}

static void table_seqlock(int own, int round, bool rare)
{
	unsigned before;

	if (rare && is_write(own, round)) {
		atomic_fetch_add(&sequence, 1);
		write_lines(lines);
		atomic_fetch_add(&sequence, 1);
		return;
	}
	readers[own].repeated--;
	do {
		readers[own].repeated++;
		while (((before = atomic_load(&sequence)) & 1) != 0)
			pause_processor();
		read_lines(own, round, lines);
	} while (atomic_load(&sequence) != before);
}

static void table_swap(int own, int round, bool rare)
{
	int version = round / READS + 1;

	if (rare && is_write(own, round)) {
		write_lines(versions[version]);
		atomic_store_explicit(&published, versions[version], memory_order_release);
	} else {
		read_lines(own, round, atomic_load_explicit(&published, memory_order_acquire));
	}
}

/* --- modes --- */

static const struct mode {
	const char *name;
	void (*turn)(int own);
	void (*use)(void);
	void (*table)(int own, int round, bool rare);
	bool rare, openmp;
} modes[] = {
	{ .name = "pause", .turn = turn_pause },
	{ .name = "yield", .turn = turn_yield },
	{ .name = "exchange", .turn = turn_exchange },
	{ .name = "futex", .turn = turn_futex },
	{ .name = "c11", .turn = turn_c11 },
	{ .name = "barrier", .turn = turn_barrier },
	{ .name = "omp", .turn = turn_omp, .openmp = true },
	{ .name = "pipe", .turn = turn_pipe },
	{ .name = "eventfd", .turn = turn_eventfd },
	{ .name = "mutex", .use = use_mutex },
	{ .name = "spinlock", .use = use_spinlock },
	{ .name = "exchange-lock", .use = use_exchange_lock },
	{ .name = "ticket", .use = use_ticket },
	{ .name = "mtx", .use = use_mtx },
	{ .name = "rwlock", .use = use_rwlock },
	{ .name = "critical", .use = use_critical, .openmp = true },
	{ .name = "mutex-table", .table = table_mutex },
	{ .name = "rwlock-table", .table = table_rwlock },
	{ .name = "mutex-rare", .table = table_mutex, .rare = true },
	{ .name = "rwlock-rare", .table = table_rwlock, .rare = true },
	{ .name = "seqlock", .table = table_seqlock, .rare = true },
	{ .name = "swap", .table = table_swap, .rare = true },
};
static const struct mode *mode;

static void work(int own)
{
	for (int i = 0; mode->turn != NULL && i < TURNS; i++)
		mode->turn(own);
	for (int i = 0; mode->use != NULL && i < SECTIONS; i++)
		mode->use();
	for (int i = 0; mode->table != NULL && i < WRITES * READS; i++)
		mode->table(own, i, mode->rare);
}

static void *start(void *own)
{
	work((int)(intptr_t)own);
	return NULL;
}

static int start_c11(void *own)
{
	work((int)(intptr_t)own);
	return 0;
}

static void run_threads(int n)
{
	pthread_t threads[USERS];

	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], NULL, start, (void *)(intptr_t)i);
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static void run_c11(int n)
{
	thrd_t threads[USERS];

	for (int i = 0; i < n; i++)
		thrd_create(&threads[i], start_c11, (void *)(intptr_t)i);
	for (int i = 0; i < n; i++)
		thrd_join(threads[i], NULL);
}

static void run_openmp(int n)
{
#pragma omp parallel num_threads(n)
	{
		int own = 0;

#ifdef _OPENMP
		extern int omp_get_thread_num(void);
		own = omp_get_thread_num();
#endif
		work(own);
	}
}

int main(int argc, char *argv[])
{
	const char *name = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (strcmp(name, modes[i].name) == 0)
			mode = &modes[i];
	if (mode == NULL)
		return 2;
	prepare_turns();
	pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
	mtx_init(&mtx, mtx_plain);
	int n = mode->turn != NULL ? 2 : USERS;

	if (mode->openmp)
		run_openmp(n);
	else if (mode->turn == turn_c11 || mode->use == use_mtx)
		run_c11(n);
	else
		run_threads(n);
	long misses = 0, repeated = 0;
	for (int i = 0; i < USERS; i++) {
		misses += readers[i].misses;
		repeated += readers[i].repeated;
	}
	printf("%ld %ld\n", misses, repeated);
	return 0;
}
