/*
 * schedule/word_uses_priv.h - how threads use words of memory; part of hand_offs.c.
 *
 * Words of a line are kept together, for each thread: neighbouring references use neighbouring
 * words. The lines that a chunk has used last are found without the table. Most chunks share no
 * word with others, so their uses are not counted; and little of a new line is initialised.
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
	MS_SCHEDULE_NEIGHBOUR_BITS = 4, /* so many neighbouring lines have neighbouring buckets */
	MS_SCHEDULE_BUCKET_BITS = 15,
	MS_SCHEDULE_RECENT_LINES = 256,
};

/* A use of a word: the chunk, and the end of what may be protected with it. */
struct ms_schedule_use_point {
	uint32_t number; /* the lower half of the chunk's number */
	uint32_t end;
};

/* How a thread uses a word. */
struct ms_schedule_use {
	uint32_t flags; /* these and the counts: by the chunk that has used it last */
	uint32_t uses, writes;
	uint32_t first_end; /* the end of what was protected when the chunk began; 0: nothing */
	struct ms_schedule_use_point last, last_write;
};

/* How a thread uses the words of a line. The masks have a bit for each word. */
struct ms_schedule_used_line {
	uint64_t line;
	uint32_t lane;
	uint32_t next;     /* index plus 1 of the next one with the same hash, in the order of
			      insertion */
	uint32_t number;   /* the lower half of the number of the chunk that used it last */
	bool may_be_known; /* when it was found last: see ms_schedule_word_uses_know() */
	uint8_t used_by_others, written_by_others; /* likewise */
	uint8_t used, written;
	uint8_t counted, counted_writes; /* so `last` and `last_write` of the word are valid */
};

/* A line that the present chunk has used. */
struct ms_schedule_recent_line {
	uint64_t line; /* plus 1; 0: none */
	struct ms_schedule_used_line *used;
	uint8_t words[2]; /* those that the chunk reads; writes */
};

struct ms_schedule_word_uses {
	struct ms_schedule_recent_line recent[MS_SCHEDULE_RECENT_LINES];
	uint32_t bucket[1 << MS_SCHEDULE_BUCKET_BITS];       /* index of the first one plus 1 */
	uint64_t known[(1 << MS_SCHEDULE_BUCKET_BITS) / 64]; /* a bit for each bucket */
	uint32_t lines;
	struct ms_schedule_used_line used[MS_SCHEDULE_MOST_LINES];
	/* Of these lines; apart, because most are never counted. */
	struct ms_schedule_use use[MS_SCHEDULE_MOST_LINES][MS_SCHEDULE_LINE_WORDS];
};

MS_INLINE uint32_t ms_schedule_hash(uint64_t number, uint32_t bits)
{
	return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits));
}

MS_INLINE uint32_t ms_schedule_hash_line(uint64_t line)
{
	const uint32_t neighbours = 1 << MS_SCHEDULE_NEIGHBOUR_BITS;
	const uint32_t bits = MS_SCHEDULE_BUCKET_BITS - MS_SCHEDULE_NEIGHBOUR_BITS;

	return ms_schedule_hash(line / neighbours, bits) * neighbours | line % neighbours;
}

MS_INLINE uint32_t *ms_schedule_word_uses_bucket(struct ms_schedule_word_uses *w, uint64_t line)
{
	return &w->bucket[ms_schedule_hash_line(line)];
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

/* Some word of the line is more than used: ms_schedule_used_line.may_be_known. */
MS_INLINE void ms_schedule_word_uses_know(struct ms_schedule_word_uses *w, uint64_t line)
{
	uint32_t hash = ms_schedule_hash_line(line);

	w->known[hash / 64] |= UINT64_C(1) << hash % 64;
}

MS_INLINE struct ms_schedule_used_line *ms_schedule_word_uses_add(struct ms_schedule_word_uses *w,
								  uint32_t *link, uint64_t line,
								  uint32_t lane)
{
	struct ms_schedule_used_line *own = &w->used[w->lines];

	own->line = line;
	own->lane = lane;
	own->next = 0;
	own->used = own->written = own->counted = own->counted_writes = 0;
	*link = ++w->lines;
	return own;
}

/* Finds or enters a line that was not used recently. Returns NULL if there is no room for it. */
static MS_NOINLINE MS_UNUSED struct ms_schedule_used_line *
ms_schedule_word_uses_enter(struct ms_schedule_word_uses *w, uint64_t line, uint32_t lane)
{
	uint32_t hash = ms_schedule_hash_line(line), *link = &w->bucket[hash];
	struct ms_schedule_used_line *own = NULL;
	uint8_t used = 0, written = 0;

	for (; *link != 0; link = &w->used[*link - 1].next) {
		struct ms_schedule_used_line *other = &w->used[*link - 1];

		if (other->line != line)
			continue;
		if (other->lane == lane) {
			own = other;
			continue;
		}
		used |= other->used;
		written |= other->written;
	}
	if (own == NULL) {
		if (w->lines == MS_SCHEDULE_MOST_LINES)
			return NULL;
		own = ms_schedule_word_uses_add(w, link, line, lane);
	}
	own->used_by_others = used;
	own->written_by_others = written;
	own->may_be_known = w->known[hash / 64] >> hash % 64 & 1;
	w->recent[line % MS_SCHEDULE_RECENT_LINES] =
		(struct ms_schedule_recent_line){ .line = line + 1, .used = own };
	return own;
}

/* Where the line is, if the present chunk has used it recently. */
MS_INLINE struct ms_schedule_recent_line *
ms_schedule_word_uses_get_recent(struct ms_schedule_word_uses *w, uint64_t line)
{
	return &w->recent[line % MS_SCHEDULE_RECENT_LINES];
}

/* The line of the lane's chunk; NULL: there is no room for it. */
MS_INLINE struct ms_schedule_used_line *ms_schedule_word_uses_find(struct ms_schedule_word_uses *w,
								   uint64_t line, uint32_t lane)
{
	const struct ms_schedule_recent_line *recent = ms_schedule_word_uses_get_recent(w, line);

	return MS_LIKELY(recent->line == line + 1) ? recent->used
						   : ms_schedule_word_uses_enter(w, line, lane);
}

#endif
