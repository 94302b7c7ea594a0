/*
 * collect/pipeline.h - between the two halves of a single worker that have a thread each: chunks
 * that were sifted, and are to be settled.
 *
 * A chunk takes some microseconds, and to wake a thread takes as long. So one that has nothing to
 * do sleeps until much is to be done, or there will be no more.
 */
#ifndef MS_COLLECT_PIPELINE_H
#define MS_COLLECT_PIPELINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "collect/still.h"

/* So many chunks may be between being sifted and being settled. */
enum { MS_PIPELINE_CHUNKS = 32 };

/* What one half has done. */
struct half {
	uint32_t number;  /* of chunks, modulo 2^32 */
	uint32_t awaited; /* the other half sleeps until there are more */
} MS_ALIGNED(128);        /* each is written by another thread */

struct pipeline {
	struct half sifted;
	struct half settled;
	uint32_t ended;   /* no more will be sifted */
	pthread_t thread; /* that settles; the worker's own sifts */
	bool started;     /* it is */
};

MS_INLINE unsigned ms_pipeline_slot(uint32_t k)
{
	return k % MS_PIPELINE_CHUNKS;
}

/* For the one that sifts: waits until chunk k has a place; it was sifted; it was the last. */
void ms_pipeline_make_room(struct pipeline *pipeline, struct still *still, uint32_t k);
void ms_pipeline_sifted(struct pipeline *pipeline, uint32_t k);
void ms_pipeline_end(struct pipeline *pipeline);

/* For the one that settles: waits for chunk k, false: the stream has ended before it; it was
 * settled. */
bool ms_pipeline_wait(struct pipeline *pipeline, struct still *still, uint32_t k);
void ms_pipeline_settled(struct pipeline *pipeline, uint32_t k);

#endif
