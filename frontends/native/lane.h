/* lane.h - what lane.c, pack.c, stamp.c and board.c share. */
#ifndef MS_NATIVE_LANE_H
#define MS_NATIVE_LANE_H

#include "runtime.h"

/* An event begins at the cursor. */
static inline void ms_lane_note(struct ms_thread *t)
{
	struct ms_wire_index *events = t->events;

	if (events->count < MS_WIRE_INDEXED)
		events->at[events->count] = (uint32_t)((t->lane.cursor - t->lane.chunk_start) / 8);
	events->count++;
}

/* NULL: there is none. */
struct ms_wire_stream *ms_lane_stream(void);
/* The merger is to look at what there is. */
void ms_lane_ring_bell(void);
/*
 * Waits until fewer than `most` of what was written are there to be read; freed: how much was read.
 * False: nobody reads any more.
 */
bool ms_lane_wait(struct ms_thread *t, uint32_t *freed, uint32_t written, uint32_t most);

#endif
