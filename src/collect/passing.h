/*
 * collect/passing.h - blocks of one MS_WIRE_PACKED that come and go in it: between its words
 * nothing is referenced, so nobody can ask what lies where such a block was. It is counted, and
 * need not be placed. For collect/ only.
 */
#ifndef MS_COLLECT_PASSING_H
#define MS_COLLECT_PASSING_H

#include <stddef.h>
#include <stdint.h>

enum { MS_PASSING_MOST = 1 << 16, MS_PASSING_PLACES = 1 << 12 };

/* A worker's; all zeros to begin with. */
struct ms_passing {
	/* By word of the record: 1 + the word by which it goes, or came; 0: it stays, or came
	 * before. */
	uint16_t partner[MS_PASSING_MOST];
	uint32_t data[MS_PASSING_MOST]; /* of words by which blocks come that have a partner */
	/* Blocks that came last, by a hash of their place. */
	struct ms_passing_block {
		uint32_t place;
		uint32_t turn; /* the record's */
		uint32_t came; /* 1 + its word; 0: not known which of several */
	} last[MS_PASSING_PLACES];
	uint32_t turn;
};

/* Fills in the partners of a record's words, up to MS_PASSING_MOST. */
void ms_passing_find(struct ms_passing *passing, const uint64_t *words, size_t n);

#endif
