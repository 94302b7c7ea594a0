/*
 * collect/worker.h - the workers, the threads that process the stream: worker.c starts them,
 * flight.c says how they share its chunks.
 */
#ifndef MS_COLLECT_WORKER_H
#define MS_COLLECT_WORKER_H

#include <pthread.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/vec.h"
#include "collect/gate.h"
#include "collect/pipeline.h"
#include "collect/still.h"
#include "engine/engine.h"

struct collector;
struct ms_passing;

struct worker {
	struct collector *collector;
	unsigned number;
	struct ms_engine_shard **shards; /* this worker's shard of each engine */
	struct assignment **assignments; /* of each engine; NULL where one processor is simulated */
	uint64_t events;                 /* read so far */
	uint32_t running;                /* the thread that makes the present references */
	MS_VEC(bool) allocating;         /* by thread: it is inside malloc or a relative */
	struct ms_passing *passing;      /* of packed records; NULL: there were none */
	uint32_t tells;                  /* the first chunk after which progress is updated again */
	size_t figures;                  /* counters that the last update added up */
	uint32_t settled;  /* with several workers: the next chunk that it simulates */
	struct ms_err err; /* code 0: none; else the worker only releases chunks */
	pthread_t thread;
};

/*
 * A chunk that several workers process. Each worker applies the chunk's events to its own shard.
 * One worker, the owner, runs the chunk through the L1 filter. After that every worker simulates
 * its share of the pending accesses.
 */
struct flight {
	struct gate sifted;   /* filtered; opened for chunk k with k + 1, as the next one is */
	struct gate finished; /* simulated by all workers */
	uint32_t unsettled;   /* workers that have not simulated it */
};

struct ms_collect_pool {
	unsigned count;
	unsigned filtering; /* workers that filter chunks, in round-robin order */
	unsigned started;   /* workers whose threads exist */
	bool halved;        /* one worker filters, and a second thread simulates its chunks: */
	struct pipeline pipeline;
	struct worker *workers;
	struct flight *chunks; /* by chunk modulo their count; for several workers */
	unsigned chunk_count;
	uint32_t lag;          /* chunks between reading a chunk and simulating it */
	struct still quiesce;  /* stops the workers between chunks */
	struct ms_err failure; /* of the first worker that failed; code 0: none */
};

int ms_workers_start(struct collector *collector, struct ms_err *err);
/* Waits until all workers have processed the whole stream. */
void ms_workers_join(struct collector *collector);

/* flight.c: process the whole stream; the first two are for a single worker. */
void ms_worker_read_alone(struct worker *worker);
void ms_worker_sift_only(struct worker *worker);
void ms_worker_read_together(struct worker *worker);
/* Simulates the chunks that ms_worker_sift_only() has filtered; runs in a second thread. */
void ms_collector_settle(struct collector *collector);
/* How many chunks may have been read and not yet simulated. */
unsigned ms_flights_most(const struct collector *collector);
void ms_flights_open(struct collector *collector);
/* In a forked copy whose workers were quiesced: simulates the chunks that they had filtered. */
void ms_flights_land(struct collector *collector);
void ms_flights_close(struct collector *collector);

#endif
