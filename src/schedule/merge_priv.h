/* schedule/merge_priv.h - shared by merge.c, interleave.c and stamp_order.c. */
#ifndef MS_SCHEDULE_MERGE_PRIV_H
#define MS_SCHEDULE_MERGE_PRIV_H

#include <pthread.h>

#include "schedule/merge.h"

struct ms_schedule_merger {
	struct ms_stream_ring *ring;
	pthread_t thread;
	bool finely;
	struct ms_schedule_merge_processors processors;
	uint32_t stop;
	uint64_t next;    /* number of the next chunk that was handed over */
	uint32_t running; /* thread of the last records in the ring */

	uint64_t *out; /* the ring's chunk being written; NULL: none */
	size_t n;
	struct ms_wire_index *index;

	uint32_t shared_chunk; /* position in the shared lane */
	size_t shared_words;
};

/* --- into the ring --- */

/* Makes room for so many words; returns false if the readers have gone. */
bool ms_schedule_merge_room(struct ms_schedule_merger *m, size_t words);
/* Returns the number of words that still fit into the chunk being written. */
size_t ms_schedule_merge_left(const struct ms_schedule_merger *m);
/* Adds an event to the index; at: words from the chunk's start. */
void ms_schedule_merge_event(struct ms_schedule_merger *m, size_t at);
/* Copies whole records, for which there is room. */
void ms_schedule_merge_copy(struct ms_schedule_merger *m, const uint64_t *words, size_t n);
void ms_schedule_merge_switch(struct ms_schedule_merger *m, uint32_t thread);
/* Hands over the chunk to the readers. */
void ms_schedule_merge_hand_over(struct ms_schedule_merger *m);

/* --- out of the lanes --- */

struct ms_wire_lane *ms_schedule_merge_lane(const struct ms_stream_ring *ring, uint32_t lane);
const uint64_t *ms_schedule_merge_chunk(const struct ms_stream_ring *ring,
					const struct ms_wire_lane *lane, uint32_t chunk);
size_t ms_schedule_merge_length(const struct ms_stream_ring *ring, const struct ms_wire_lane *lane,
				uint32_t chunk);
void ms_schedule_merge_release(struct ms_wire_lane *lane);
/* Copies all that was written to the shared lane so far. */
void ms_schedule_merge_shared(struct ms_schedule_merger *m);

/* Copies a chunk that was handed over, in the form of ms_wire_handover(). */
void ms_schedule_merge_take(struct ms_schedule_merger *m, uint64_t handover);

/* stamp_order.c, like ms_schedule_merge_interleave(), if the writer uses stamps. */
void ms_schedule_merge_stamped(struct ms_schedule_merger *m);

/* interleave.c: runs until the writer has ended and all its chunks are copied. */
void ms_schedule_merge_interleave(struct ms_schedule_merger *m);

#endif
