/*
 * schedule/merge.h - merges the lanes of threads that run at the same time. A thread of memspy
 * copies their chunks into lane 0, in the order in which they were handed over, so that the
 * readers of the ring see one stream.
 *
 * Until the writer uses more lanes (ms_wire_stream.merging), it writes lane 0 itself.
 */
#ifndef MS_SCHEDULE_MERGE_H
#define MS_SCHEDULE_MERGE_H

#include "stream/ring.h"

struct ms_schedule_merger;

/* The processors of threads: see ms_wire_processor(). count is 0 if they are unknown. */
struct ms_schedule_merge_processors {
	uint32_t count;
	const uint32_t *map;
	uint32_t n;
	/*
	 * Receives the number of the first chunk that the merger writes, plus 1, before the ring
	 * has that chunk. Until then there is one thread.
	 */
	uint64_t *first_merged;
	/* Chunks are handed over in the order in which they were executed, one thread at a time. */
	bool executed_in_order;
	uint64_t seed; /* varies the lengths of slices */
};

/*
 * If the ring has only one lane, *merger is NULL. finely: threads run on several simulated
 * processors, and are interleaved, some dozen instructions at a time (interleave.c).
 */
int ms_schedule_merge_start(struct ms_schedule_merger **merger, struct ms_stream_ring *ring,
			    bool finely, const struct ms_schedule_merge_processors *processors,
			    struct ms_err *err);
/* The writing process has ended: copies the rest of its lanes to the ring. Call it before
 * ms_stream_ring_end(). */
void ms_schedule_merge_finish(struct ms_schedule_merger *merger);

#endif
