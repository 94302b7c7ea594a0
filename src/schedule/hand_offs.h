/*
 * schedule/hand_offs.h - finds words of memory that one thread hands to another: a flag, a lock, a
 * semaphore.
 *
 * Threads are executed one at a time, for a chunk each (frontends/native/tracer/time_slices.c), and
 * interleave.c merges such chunks as if they had been executed at the same time. Where a chunk uses
 * a word that an earlier one has written, its thread may have waited for that, and all that follows
 * must come after it; likewise where it writes a word that an earlier one has used. Other words,
 * also in the same line, may be used in any order.
 *
 * Words that both chunks use, and one writes, again and again are locks or counters that threads
 * contend for. They are no hand-offs: threads that run at the same time use them alternately.
 *
 * Not covered: a word that is written and read by references that begin at different addresses.
 */
#ifndef MS_SCHEDULE_HAND_OFFS_H
#define MS_SCHEDULE_HAND_OFFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct ms_schedule_hand_offs;

/* A chunk that is merged with others. */
struct ms_schedule_merged_chunk {
	uint32_t lane;
	uint64_t number; /* in the order of execution */
	const uint64_t *words;
	size_t n;
};

/* From word `at` of a chunk on, records come after the record at word `after` of an earlier one. */
struct ms_schedule_hand_off {
	size_t at;
	uint32_t lane;
	uint64_t number;
	size_t after;
};

struct ms_schedule_hand_off_list {
	MS_VEC(struct ms_schedule_hand_off) at; /* in the order of the chunk */
	bool shares; /* the chunk shares a word that one writes, also a contended one */
};

/* writes: by exit, which of its references write: see ring.h. */
struct ms_schedule_hand_offs *ms_schedule_hand_offs_open(const uint64_t *writes);
void ms_schedule_hand_offs_close(struct ms_schedule_hand_offs *hand_offs);
/* No chunk is being merged any more. */
void ms_schedule_hand_offs_clear(struct ms_schedule_hand_offs *hand_offs);
/*
 * Adds a chunk, after all that were executed before it, and lists its hand-offs. False: there are
 * too many words; call ms_schedule_hand_offs_clear(), and add the chunks that are still merged.
 */
bool ms_schedule_hand_offs_add(struct ms_schedule_hand_offs *hand_offs,
			       const struct ms_schedule_merged_chunk *chunk,
			       struct ms_schedule_hand_off_list *list);

#endif
