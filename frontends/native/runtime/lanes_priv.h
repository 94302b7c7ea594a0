/* lanes_priv.h - declarations that the files of the stream share: lanes.c, chunks.c, events.c,
 * scratch_lane.c, packed_records.c, stamped_lanes.c and shared_words.c. */
#ifndef MS_NATIVE_RUNTIME_LANES_PRIV_H
#define MS_NATIVE_RUNTIME_LANES_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"

extern struct ms_runtime_writer {
	struct ms_wire_stream *stream; /* NULL: there is none */
	uint64_t stream_bytes;
	bool detached; /* the reader has gone, or nothing more is written */
	/* With several threads, each has a lane; records that all readers need have a lane of their
	 * own. */
	bool merging;
	struct ms_runtime_thread *shared;
} ms_runtime_writer;

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

/* --- chunks.c --- */

/* The thread writes to the chunk of that number, which is free. */
void ms_runtime_use_chunk(struct ms_runtime_thread *t, uint32_t number);
/* Hands the chunk over; in_order: 0, or MS_WIRE_IN_ORDER. */
void ms_runtime_publish_chunk(struct ms_runtime_thread *t, uint32_t in_order);
void ms_runtime_wait_for_room(struct ms_runtime_thread *t);
/* All three, for the next chunk. */
void ms_runtime_start_next_chunk(struct ms_runtime_thread *t);
/* Whether to wake the reader now. */
bool ms_runtime_is_urgent(const struct ms_runtime_thread *t);

/* --- scratch_lane.c --- */

/* Whether there is scratch memory, which is mapped if necessary. */
bool ms_runtime_has_scratch(struct ms_runtime_thread *t);
/* The cursor moves to the start of scratch memory. */
void ms_runtime_use_scratch(struct ms_runtime_thread *t);
/* Before and after an event of a thread whose executions are not written, the cursor changes. */
void ms_runtime_switch_to_lane(struct ms_runtime_thread *t);
void ms_runtime_switch_to_scratch(struct ms_runtime_thread *t);
/* Applies to this thread what was last requested for all. */
void ms_runtime_apply_recording(struct ms_runtime_thread *t);
/* In a forked child, for ms_runtime_restart_recording(). */
void ms_runtime_remember_recording(const struct ms_runtime_thread *t);

#endif
