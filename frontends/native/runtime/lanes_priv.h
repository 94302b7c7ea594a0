/* lanes_priv.h - declarations that lanes.c, packed_records.c, stamped_lanes.c and shared_words.c
 * share. */
#ifndef MS_NATIVE_RUNTIME_LANES_PRIV_H
#define MS_NATIVE_RUNTIME_LANES_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"

/* Adds an event, which begins at the cursor, to the index of the chunk. */
static inline void ms_runtime_index_event(struct ms_runtime_thread *t)
{
	struct ms_wire_index *events = t->events;

	if (events->count < MS_WIRE_INDEXED)
		events->at[events->count] = (uint32_t)((t->lane.cursor - t->lane.chunk_start) / 8);
	events->count++;
}

/* NULL: there is no stream. */
struct ms_wire_stream *ms_runtime_get_stream(void);
/* Wakes the merger. */
void ms_runtime_wake_merger(void);
/*
 * Waits until fewer than `most` of the written items are unread; freed: number of items that were
 * read. False: the reader has gone.
 */
bool ms_runtime_wait_for_reader(struct ms_runtime_thread *t, uint32_t *freed, uint32_t written,
				uint32_t most);

#endif
