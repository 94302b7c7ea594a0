/*
 * stream/merge.h - threads that run at the same time write a lane each; a thread of memspy puts
 * their chunks one behind another into lane 0, in the order in which they were handed over, so that
 * the readers of the ring see one stream.
 *
 * Until the writer says that it uses more lanes (ms_wire_stream.merging) it writes lane 0 itself.
 */
#ifndef MS_STREAM_MERGE_H
#define MS_STREAM_MERGE_H

#include "stream/ring.h"

struct ms_merger;

/* Where threads are: see ms_wire_processor(). count is 0 where that is not known. */
struct ms_merge_processors {
	uint32_t count;
	const uint32_t *map;
	uint32_t n;
};

/*
 * Where the ring has no more than one lane, *merger is NULL. finely: threads run on several
 * simulated processors, and what they do is interleaved, some dozen instructions of each at a time
 * (interleave.c).
 */
int ms_merge_start(struct ms_merger **merger, struct ms_ring *ring, bool finely,
		   const struct ms_merge_processors *processors, struct ms_err *err);
/* The writing process has ended: what it left in its lanes goes into the ring. Before
 * ms_ring_end().
 */
void ms_merge_finish(struct ms_merger *merger);

#endif
