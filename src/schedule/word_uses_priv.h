/*
 * schedule/word_uses_priv.h - how threads use words of memory; part of hand_offs.c.
 *
 * Words of a line are kept together, for each thread: neighbouring references use neighbouring
 * words. The lines that a chunk has used last are found without the table.
 */
#ifndef MS_SCHEDULE_WORD_USES_PRIV_H
#define MS_SCHEDULE_WORD_USES_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"

enum {
	MS_SCHEDULE_LINE_BITS = 3,
	MS_SCHEDULE_LINE_WORDS = 1 << MS_SCHEDULE_LINE_BITS,
	MS_SCHEDULE_MOST_LINES = 1 << 15,
	MS_SCHEDULE_BUCKET_BITS = 15,
	MS_SCHEDULE_RECENT_LINES = 256,
};

/* A use of a word: the record, and the end of what may be protected with it. */
struct ms_schedule_use_point {
	uint64_t number; /* of the chunk; 0: there is none */
	uint32_t at, end;
};

/* How a thread uses a word; all zeros: it does not. */
struct ms_schedule_use {
	uint32_t flags; /* these and the counts: by the chunk that has used it last */
	uint32_t uses, writes;
	uint32_t first_end; /* the end of what was protected when the chunk began; 0: nothing */
	struct ms_schedule_use_point last, last_write;
};

/* How a thread uses the words of a line. */
struct ms_schedule_used_line {
	uint64_t line;
	uint32_t lane;
	uint32_t next; /* index plus 1 of the next one with the same hash, in the order of insertion
			*/
	bool is_alone; /* when it was found last, no other thread used the line */
	struct ms_schedule_use use[MS_SCHEDULE_LINE_WORDS];
};

/* A line that the present chunk has used. */
struct ms_schedule_recent_line {
	uint64_t line; /* plus 1; 0: none */
	struct ms_schedule_used_line *used;
};

struct ms_schedule_word_uses {
	struct ms_schedule_recent_line recent[MS_SCHEDULE_RECENT_LINES];
	uint32_t bucket[1 << MS_SCHEDULE_BUCKET_BITS]; /* index of the first one plus 1 */
	uint32_t lines;
	struct ms_schedule_used_line used[MS_SCHEDULE_MOST_LINES];
};

MS_INLINE uint32_t ms_schedule_hash(uint64_t number, uint32_t bits)
{
	return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

MS_INLINE uint32_t *ms_schedule_word_uses_bucket(struct ms_schedule_word_uses *w, uint64_t line)
{
	return &w->bucket[ms_schedule_hash(line, MS_SCHEDULE_BUCKET_BITS)];
}

MS_INLINE void ms_schedule_word_uses_clear(struct ms_schedule_word_uses *w)
{
	for (uint32_t i = 0; i < w->lines; i++)
		*ms_schedule_word_uses_bucket(w, w->used[i].line) = 0;
	w->lines = 0;
}

MS_INLINE void ms_schedule_word_uses_begin_chunk(struct ms_schedule_word_uses *w)
{
	for (uint32_t i = 0; i < MS_SCHEDULE_RECENT_LINES; i++)
		w->recent[i].line = 0;
}

/* Finds or enters a line that was not used recently. Returns NULL if there is no room for it. */
static MS_NOINLINE MS_UNUSED struct ms_schedule_used_line *
ms_schedule_word_uses_enter(struct ms_schedule_word_uses *w, uint64_t line, uint32_t lane)
{
	struct ms_schedule_recent_line *recent = &w->recent[line % MS_SCHEDULE_RECENT_LINES];
	uint32_t *link = ms_schedule_word_uses_bucket(w, line);
	struct ms_schedule_used_line *own = NULL;
	bool alone = true;

	for (; *link != 0; link = &w->used[*link - 1].next) {
		struct ms_schedule_used_line *used = &w->used[*link - 1];

		if (used->line == line && used->lane == lane)
			own = used;
		else if (used->line == line)
			alone = false;
	}
	if (own == NULL) {
		if (w->lines == MS_SCHEDULE_MOST_LINES)
			return NULL;
		own = &w->used[w->lines];
		*own = (struct ms_schedule_used_line){ .line = line, .lane = lane };
		*link = ++w->lines;
	}
	own->is_alone = alone;
	*recent = (struct ms_schedule_recent_line){ line + 1, own };
	return own;
}

/* The line, if the present chunk has used it recently; else NULL. */
MS_INLINE struct ms_schedule_used_line *
ms_schedule_word_uses_recall(const struct ms_schedule_word_uses *w, uint64_t line)
{
	const struct ms_schedule_recent_line *recent = &w->recent[line % MS_SCHEDULE_RECENT_LINES];

	return MS_LIKELY(recent->line == line + 1) ? recent->used : NULL;
}

/* The line of the lane's chunk; NULL: there is no room for it. */
MS_INLINE struct ms_schedule_used_line *ms_schedule_word_uses_find(struct ms_schedule_word_uses *w,
								   uint64_t line, uint32_t lane)
{
	struct ms_schedule_used_line *used = ms_schedule_word_uses_recall(w, line);

	return used != NULL ? used : ms_schedule_word_uses_enter(w, line, lane);
}

#endif
