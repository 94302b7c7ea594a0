/*
 * collect/pipeline.h - connects the two threads of a single worker: one runs chunks through the L1
 * filter, the other simulates the filtered chunks.
 *
 * A chunk takes some microseconds, and waking a thread takes as long. So an idle thread sleeps
 * until there is much work, or the stream has ended.
 */
#ifndef MS_COLLECT_PIPELINE_H
#define MS_COLLECT_PIPELINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "collect/quiesce.h"

/* The most chunks that may be filtered and not yet simulated. */
enum { MS_COLLECT_PIPELINE_CHUNKS = 32 };

/* The progress of one thread. */
struct ms_collect_pipeline_half {
	uint32_t number;  /* of chunks done, modulo 2^32 */
	uint32_t awaited; /* the other thread sleeps until there are more */
} MS_ALIGNED(128);        /* different threads write the two: avoids false sharing */

struct ms_collect_pipeline {
	struct ms_collect_pipeline_half filtered;
	struct ms_collect_pipeline_half simulated;
	uint32_t ended;   /* no more chunks will be filtered */
	pthread_t thread; /* simulates; the worker's own thread filters */
	bool started;     /* the thread exists */
};

MS_INLINE unsigned ms_collect_pipeline_batch(uint32_t k)
{
	return k % MS_COLLECT_PIPELINE_CHUNKS;
}

/* For the thread that filters: waits for room for chunk k; reports that chunk k is filtered;
 * reports the end of the stream. */
void ms_collect_pipeline_wait_for_room(struct ms_collect_pipeline *pipeline,
				       struct ms_collect_quiesce *quiesce, uint32_t k);
void ms_collect_pipeline_filtered(struct ms_collect_pipeline *pipeline, uint32_t k);
void ms_collect_pipeline_end(struct ms_collect_pipeline *pipeline);
/* Waits until all chunks before k are simulated. */
void ms_collect_pipeline_drain(struct ms_collect_pipeline *pipeline,
			       struct ms_collect_quiesce *quiesce, uint32_t k);

/* For the thread that simulates: waits for chunk k (false: the stream has ended before it); reports
 * that chunk k is simulated. */
bool ms_collect_pipeline_wait(struct ms_collect_pipeline *pipeline,
			      struct ms_collect_quiesce *quiesce, uint32_t k);
void ms_collect_pipeline_simulated(struct ms_collect_pipeline *pipeline, uint32_t k);

#endif
