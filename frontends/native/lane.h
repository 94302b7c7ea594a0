/* lane.h - what lane.c and pack.c share. */
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

#endif
