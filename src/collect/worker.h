/*
 * collect/worker.h - the workers, the threads that process the stream: worker.c starts them,
 * read_chunks.c says how they share its chunks.
 */
#ifndef MS_COLLECT_WORKER_H
#define MS_COLLECT_WORKER_H

#include <pthread.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/vec.h"
#include "collect/chunk_counter.h"
#include "collect/pipeline.h"
#include "collect/quiesce.h"
#include "engine/engine.h"

struct ms_collect_state;
struct ms_collect_polling;
struct ms_collect_short_lived;

struct ms_collect_worker {
	struct ms_collect_state *collector;
	unsigned number;
	struct ms_engine_shard **shards; /* this worker's shard of each engine */
	struct ms_collect_assignment *
		*assignments;    /* of each engine; NULL where one processor is simulated */
	uint64_t events;         /* read so far */
	uint32_t running;        /* the thread that makes the present references */
	MS_VEC(bool) allocating; /* by thread: it is inside malloc or a relative */
	struct ms_collect_short_lived *passing; /* of packed records; NULL: there were none */
	uint32_t next_update; /* the first chunk after which progress is updated again */
	size_t figures;       /* counters that the last update added up */
	uint32_t simulated;   /* with several workers: the next chunk that it simulates */
	struct ms_err err;    /* code 0: none; else the worker only releases chunks */
	pthread_t thread;
};

/*
 * A chunk that several workers process. Each worker applies the chunk's events to its own shard.
 * One worker, the owner, runs the chunk through the L1 filter. After that every worker simulates
 * its share of the pending accesses.
 */
struct ms_collect_chunk {
	struct ms_collect_counter
		filtered; /* filtered; opened for chunk k with k + 1, as the next one is */
	struct ms_collect_counter finished; /* simulated by all workers */
	uint32_t unsimulated;               /* workers that have not simulated it */
};

struct ms_collect_pool {
	unsigned count;
	unsigned filtering; /* workers that filter chunks, in round-robin order */
	unsigned started;   /* workers whose threads exist */
	bool halved;        /* one worker filters, and a second thread simulates its chunks: */
	struct ms_collect_pipeline pipeline;
	struct ms_collect_worker *workers;
	struct ms_collect_chunk *chunks; /* by chunk modulo their count; for several workers */
	unsigned chunk_count;
	uint32_t lag;                        /* chunks between reading a chunk and simulating it */
	struct ms_collect_polling **polling; /* by worker */
	unsigned polling_count;
	struct ms_collect_quiesce quiesce; /* stops the workers between chunks */
	struct ms_err failure;             /* of the first worker that failed; code 0: none */
};

int ms_collect_start_workers(struct ms_collect_state *collector, struct ms_err *err);
/* Waits until all workers have processed the whole stream. */
void ms_collect_join_workers(struct ms_collect_state *collector);

/* read_chunks.c: process the whole stream; the first two are for a single worker. */
void ms_collect_read_alone(struct ms_collect_worker *worker);
void ms_collect_filter_chunks(struct ms_collect_worker *worker);
void ms_collect_read_together(struct ms_collect_worker *worker);
/* Simulates the chunks that ms_collect_filter_chunks() has filtered; runs in a second thread. */
void ms_collect_simulate_chunks(struct ms_collect_state *collector);
/* How many chunks may have been read and not yet simulated. */
unsigned ms_collect_most_chunks(const struct ms_collect_state *collector);
void ms_collect_open_chunks(struct ms_collect_state *collector);
/* In a forked copy whose workers were quiesced: simulates the chunks that they had filtered. */
void ms_collect_finish_chunks(struct ms_collect_state *collector);
void ms_collect_close_chunks(struct ms_collect_state *collector);

#endif
