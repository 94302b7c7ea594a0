/*
 * schedule/hand_offs.h - finds in which order chunks of several threads may be merged, so that the
 * order does not contradict the program's synchronisation.
 *
 * Threads are executed one at a time, for a chunk each, and merged as if they had been executed at
 * the same time (interleave.c; frontends/valgrind/track_merge.c). Where a chunk uses a word that an
 * earlier one has written, its thread may have waited for that, and all that follows must come
 * after it; likewise where it writes a word that an earlier one has used. These are hand-offs.
 * Other words, also in the same line, may be used in any order.
 *
 * A word that several threads use, and at least one of them with an atomic instruction, is a
 * synchronisation word: a lock, a semaphore, a reference counter. What is used between two uses of
 * such words may be protected by the first until the second. So a hand-off reaches from the use of
 * a synchronisation word that follows in the earlier chunk to the one that precedes in the later
 * chunk: a critical section comes after another one as a whole.
 *
 * Words that both chunks use, and one writes, again and again are contended. Threads that run at
 * the same time use them alternately, so they are no hand-offs. If they are data between
 * synchronisation words, they are used as a unit: another thread's records come before all of it or
 * after. Contended words in chunks without synchronisation words are used in any order.
 *
 * Not covered: locks that are taken without atomic instructions, if they are contended.
 *
 * Freestanding, because the Valgrind front-end uses it, too.
 */
#ifndef MS_SCHEDULE_HAND_OFFS_H
#define MS_SCHEDULE_HAND_OFFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The meaning of a reference: MS_SCHEDULE_WRITES, MS_SCHEDULE_ATOMIC, and its bytes from here on.
 */
enum { MS_SCHEDULE_WRITES = 1, MS_SCHEDULE_ATOMIC = 2, MS_SCHEDULE_BYTES_AT = 2 };

/* The meaning of each reference of the executions with this exit; *n: how many there are; NULL: the
 * exit is not described yet. */
typedef const uint16_t *ms_schedule_refs_of(const void *arg, uint32_t exit, uint32_t *n);

struct ms_schedule_hand_offs;

/* A chunk that is merged with others. */
struct ms_schedule_merged_chunk {
	uint32_t lane;
	uint64_t number; /* in the order of execution, from 1 on */
	uint64_t oldest; /* chunks before this one have been merged */
	const uint64_t *words;
	size_t n;
};

/* From word `at` of a chunk on, records come after the record at word `after` of an earlier one. */
struct ms_schedule_hand_off {
	uint32_t at;
	uint32_t lane;
	uint64_t number;
	uint32_t after; /* MS_SCHEDULE_CHUNK_END: after all of it */
};
#define MS_SCHEDULE_CHUNK_END UINT32_MAX

/* Records from word `from` to the one at word `to` are not divided. */
struct ms_schedule_unit {
	uint32_t from, to;
};

enum { MS_SCHEDULE_MOST_HAND_OFFS = 2048, MS_SCHEDULE_MOST_UNITS = 2048 };

/* What was found about a chunk, until the next one is added. */
struct ms_schedule_chunk_order {
	uint32_t hand_offs, units;
	const struct ms_schedule_hand_off *hand_off; /* in the order of the chunk */
	const struct ms_schedule_unit *unit;         /* likewise */
	bool shares; /* the chunk shares a word that one writes, also a contended one */
	/* It comes after all earlier chunks: it has shown that words are synchronisation words, and
	 * what they protect there is not known. It is if those still merged are added again. */
	bool follows_all;
};

enum ms_schedule_hand_off_result {
	MS_SCHEDULE_ORDERED,
	/* An exit is not described. The chunk may be added again, as the next one. */
	MS_SCHEDULE_UNDESCRIBED,
	/* Call ms_schedule_hand_offs_clear(), and add the chunks that are still merged. */
	MS_SCHEDULE_TOO_MANY,
};

/* What is known of the stream. */
struct ms_schedule_hand_offs_source {
	ms_schedule_refs_of *refs_of;
	const void *refs; /* its argument */
	/* Whether the words of a chunk that was added are still there: it has not been merged. */
	bool (*is_there)(const void *chunks, uint32_t lane, uint64_t number);
	const void *chunks;
};

/* Needs so much memory, filled with zeros. */
size_t ms_schedule_hand_offs_bytes(void);
void ms_schedule_hand_offs_start(struct ms_schedule_hand_offs *hand_offs,
				 const struct ms_schedule_hand_offs_source *source);
/* No chunk is being merged any more. Synchronisation words stay known. */
void ms_schedule_hand_offs_clear(struct ms_schedule_hand_offs *hand_offs);
/* Adds a chunk, after all that were executed before it. */
enum ms_schedule_hand_off_result
ms_schedule_hand_offs_add(struct ms_schedule_hand_offs *hand_offs,
			  const struct ms_schedule_merged_chunk *chunk,
			  struct ms_schedule_chunk_order *order);

#endif
