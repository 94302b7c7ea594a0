/*
 * collect/short_lived_blocks.h - finds short-lived heap blocks: those that are allocated and freed
 * within one MS_WIRE_PACKED record. The program makes no references between the words of this
 * record, so no address of such a block is ever looked up. It is counted, but needs no entry in the
 * address map. For collect/ only.
 */
#ifndef MS_COLLECT_SHORT_LIVED_BLOCKS_H
#define MS_COLLECT_SHORT_LIVED_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum { MS_COLLECT_SHORT_LIVED_MOST = 1 << 16, MS_COLLECT_SHORT_LIVED_SLOTS = 1 << 12 };

/* One for each worker; initially all zeros. */
struct ms_collect_short_lived {
	/* By word of the record: 1 + the word that frees, or allocated, the same block; 0: the
	 * block outlives the record, or was allocated before it. */
	uint16_t partner[MS_COLLECT_SHORT_LIVED_MOST];
	uint32_t data[MS_COLLECT_SHORT_LIVED_MOST]; /* of allocations that have a partner */
	/* The blocks that were allocated last, by a hash of their address. */
	struct ms_collect_short_lived_block {
		uint32_t address; /* relative to that of the record */
		uint32_t record_number;
		uint32_t alloc_word; /* 1 + the word that allocated it; 0: ambiguous */
	} last[MS_COLLECT_SHORT_LIVED_SLOTS];
	uint32_t record_number;
};

/* Fills in the partners of a record's words, fewer than MS_COLLECT_SHORT_LIVED_MOST. */
void ms_collect_find_short_lived(struct ms_collect_short_lived *short_lived, const uint64_t *words,
				 size_t n);

#endif
