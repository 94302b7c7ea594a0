/* machine/probe_threads.c - probes that need several processors. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "machine/probes.h"

static void pin_to(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

/* --- another processor's cache -------------------------------------------------------------- */

/*
 * The lines are far apart and few: prefetchers that fetch the neighbourhood of a miss find nothing,
 * and the second level holds all of them.
 */
enum { PEER_LAPS = 32, PEER_LINES = 1024, PEER_APART = 2048 };

struct peer {
	struct ms_machine_chase chase;
	void **first;
	int cpu; /* of the processor that writes */
	_Atomic unsigned written, read;
};

/* Yields: both threads may have to run on one processor if others are busy. */
static void wait_for(_Atomic unsigned *number, unsigned want)
{
	while (atomic_load_explicit(number, memory_order_acquire) < want)
		sched_yield();
}

/* Writes each pointer again, which makes the line exclusive in this processor's cache. */
static void *write_laps(void *arg)
{
	struct peer *peer = arg;

	pin_to(peer->cpu);
	for (unsigned lap = 1; lap <= PEER_LAPS; lap++) {
		void *volatile *at = (void *volatile *)peer->first;

		for (size_t i = 0; i < PEER_LINES; i++) {
			void *next = *at;

			*at = next;
			at = (void *volatile *)next;
		}
		atomic_store_explicit(&peer->written, lap, memory_order_release);
		wait_for(&peer->read, lap);
	}
	return NULL;
}

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median: lines that were evicted meanwhile make a lap longer. */
static double read_laps(struct peer *peer)
{
	double ns[PEER_LAPS];

	for (unsigned lap = 1; lap <= PEER_LAPS; lap++) {
		wait_for(&peer->written, lap);
		ns[lap - 1] = ms_machine_chase_walk(&peer->chase, PEER_LINES) / PEER_LINES;
		atomic_store_explicit(&peer->read, lap, memory_order_release);
	}
	qsort(ns, PEER_LAPS, sizeof(ns[0]), compare_times);
	return ns[PEER_LAPS / 2];
}

double ms_machine_probe_peer(const int cpus[2])
{
	const size_t bytes = PEER_LINES * PEER_APART;
	struct peer peer = { .cpu = cpus[1] };
	cpu_set_t allowed;
	pthread_t writer;
	double ns = 0;
	bool pinned = sched_getaffinity(0, sizeof(allowed), &allowed) == 0;

	if (pinned)
		pin_to(cpus[0]);

	ms_machine_chase_open(&peer.chase, bytes);
	if (peer.chase.bytes >= bytes) {
		ms_machine_probe_link_pages(&peer.chase, PEER_LINES, PEER_APART);
		peer.first = peer.chase.at;
		if (pthread_create(&writer, NULL, write_laps, &peer) == 0) {
			ns = read_laps(&peer);
			pthread_join(writer, NULL);
		}
	}
	ms_machine_chase_close(&peer.chase);
	if (pinned)
		sched_setaffinity(0, sizeof(allowed), &allowed);
	return ns;
}

/* --- bandwidth of all ----------------------------------------------------------------------- */

struct reader {
	pthread_t thread;
	int cpu;
	size_t bytes, line;
	_Atomic unsigned *ready, *finished;
	unsigned all;
	double rate; /* bytes per nanosecond; 0: no memory */
	bool started;
};

enum { LEAST_PASSES = 3 };

/* Reads until all have read enough, so that all read at the same time. */
static void *read_passes(void *arg)
{
	struct reader *r = arg;
	struct ms_machine_chase chase;
	double ns = 0;

	pin_to(r->cpu);
	ms_machine_chase_open(&chase, r->bytes);
	atomic_fetch_add(r->ready, 1);
	wait_for(r->ready, r->all);
	for (unsigned pass = 1; chase.bytes >= r->bytes; pass++) {
		if (pass <= LEAST_PASSES)
			ns += ms_machine_probe_transfer(&chase, MS_TRANSFER_READ);
		else
			ms_machine_probe_transfer(&chase, MS_TRANSFER_READ);
		if (pass == LEAST_PASSES)
			atomic_fetch_add(r->finished, 1);
		if (pass >= LEAST_PASSES && atomic_load(r->finished) >= r->all)
			break;
	}
	r->rate = ns > 0 ? (double)(LEAST_PASSES * r->line) / ns : 0;
	if (ns <= 0)
		atomic_fetch_add(r->finished, 1);
	ms_machine_chase_close(&chase);
	return NULL;
}

double ms_machine_probe_total(const int *cpus, size_t n, size_t bytes, size_t line)
{
	struct reader *readers = ms_alloc(n * sizeof(*readers));
	_Atomic unsigned ready = 0, finished = 0;
	double total = 0;

	for (size_t i = 0; i < n; i++) {
		readers[i] = (struct reader){ .cpu = cpus[i],
					      .bytes = bytes,
					      .line = line,
					      .ready = &ready,
					      .finished = &finished,
					      .all = (unsigned)n };
		readers[i].started =
			pthread_create(&readers[i].thread, NULL, read_passes, &readers[i]) == 0;
		if (!readers[i].started) { /* the others do not wait for it */
			atomic_fetch_add(&ready, 1);
			atomic_fetch_add(&finished, 1);
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (readers[i].started)
			pthread_join(readers[i].thread, NULL);
		total += readers[i].rate;
	}
	ms_free(readers);
	return total;
}
