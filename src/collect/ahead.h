/*
 * collect/ahead.h - events of the heap, some records ahead of the one that is met: where an object
 * is noted is far away in memory, and asking for it early takes no time. For collect/ only.
 */
#ifndef MS_COLLECT_AHEAD_H
#define MS_COLLECT_AHEAD_H

#include <stddef.h>
#include <stdint.h>

struct worker;

enum { MS_AHEAD = 8 };

struct ahead {
	size_t at;                /* the first record that was not looked at yet */
	uint32_t seen, met;       /* records */
	uint64_t block[MS_AHEAD]; /* of those in between: what is freed; 0: nothing is */
	uint64_t last;            /* the block of the latest: what it needs is asked for */
};

/* The event at words[at] is met next. Records that are no events are not looked at, nor beyond. */
void ms_ahead(struct ahead *a, const struct worker *w, const uint64_t *words, size_t n, size_t at);

/* Block i of the n in a MS_WIRE_PACKED, of which these are the words, is met next. Those with a
 * partner are not placed: see passing.h. */
void ms_ahead_packed(const struct worker *w, uint64_t base, const uint64_t *words,
		     const uint16_t *partner, size_t n, size_t i);

#endif
