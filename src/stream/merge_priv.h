/* stream/merge_priv.h - what merge.c, interleave.c and stamped.c share. */
#ifndef MS_STREAM_MERGE_PRIV_H
#define MS_STREAM_MERGE_PRIV_H

#include <pthread.h>

#include "stream/merge.h"

struct ms_merger {
	struct ms_ring *ring;
	pthread_t thread;
	bool finely;
	struct ms_merge_processors processors;
	uint32_t stop;
	uint64_t next;    /* chunk, of those handed over */
	uint32_t running; /* thread whose records stand last in the ring */

	uint64_t *out; /* the ring's chunk being written; NULL: none */
	size_t n;
	struct ms_wire_index *index;

	uint32_t shared_chunk; /* of the lane that all share: how far it has been read */
	size_t shared_words;
};

/* --- into the ring --- */

/* So many words fit from here on; false: nobody reads any more. */
bool ms_merge_room(struct ms_merger *m, size_t words);
/* So many words more fit into the chunk that is being written. */
size_t ms_merge_left(const struct ms_merger *m);
/* An event will stand there, in words from the chunk's start. */
void ms_merge_event(struct ms_merger *m, size_t at);
/* Whole records, which fit. */
void ms_merge_copy(struct ms_merger *m, const uint64_t *words, size_t n);
void ms_merge_switch(struct ms_merger *m, uint32_t thread);
/* The readers get what there is. */
void ms_merge_hand_over(struct ms_merger *m);

/* --- out of the lanes --- */

struct ms_wire_lane *ms_merge_lane(const struct ms_ring *ring, uint32_t lane);
const uint64_t *ms_merge_chunk(const struct ms_ring *ring, const struct ms_wire_lane *lane,
			       uint32_t chunk);
size_t ms_merge_length(const struct ms_ring *ring, const struct ms_wire_lane *lane, uint32_t chunk);
void ms_merge_release(struct ms_wire_lane *lane);
/* All that has been written to the shared lane so far. */
void ms_merge_shared(struct ms_merger *m);

/* A chunk that was handed over, as ms_wire_turn() has it. */
void ms_merge_take(struct ms_merger *m, uint64_t turn);

/* stamped.c, as below: where the writer takes stamps. */
void ms_merge_stamped(struct ms_merger *m);

/* interleave.c: until the writer has ended and all chunks that it handed over are taken. */
void ms_merge_interleave(struct ms_merger *m);

#endif
