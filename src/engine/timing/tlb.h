/*
 * engine/timing/tlb.h - which pages the TLB of a processor holds.
 *
 * Models:   two levels. The first is small and is used only while a batch is replayed. The second
 *           has sets of eight ways; it also sees the batches that are not replayed.
 * Does not: accesses that hit the first cache level (its lines lie in fewer pages than the second
 *           level of the TLB holds); caches of page tables, which are part of the walk's latency.
 *
 * Pages of a batch that is not replayed enter in any order, as shards deliver them in any order.
 * So a set keeps the entries with the highest (batch, page): the order does not matter.
 */
#ifndef MS_ENGINE_TIMING_TLB_H
#define MS_ENGINE_TIMING_TLB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/timing/core_config.h"

enum { MS_TIMING_TLB_WAYS = 8, MS_TIMING_FIRST_TLB_WAYS = 4 };

struct ms_timing_tlb_entry {
	uint64_t page_plus_1; /* 0: empty */
	uint64_t used;
};

struct ms_timing_tlb {
	uint32_t first_sets;
	uint32_t second_sets; /* 0: there is no TLB */
	struct ms_timing_tlb_entry *first;
	struct ms_timing_tlb_entry *second;
	uint64_t now; /* increases with every batch and every access that is replayed */
	/* Pages used before this time may have been replaced meanwhile, or others may have come. */
	uint64_t known_since;
};

enum ms_timing_translation { MS_TIMING_TLB_HIT, MS_TIMING_TLB_SECOND, MS_TIMING_TLB_WALK };

void ms_timing_open_tlb(struct ms_timing_tlb *tlb, const struct ms_timing_config *config);
void ms_timing_close_tlb(struct ms_timing_tlb *tlb);
/*
 * A window begins: the program has used unknown pages since the last one. A page that is not found
 * is assumed to be present, until its set has been filled in this window.
 */
void ms_timing_begin_tlb_window(struct ms_timing_tlb *tlb);
/* The next access of a batch that is replayed. */
enum ms_timing_translation ms_timing_translate(struct ms_timing_tlb *tlb, uint64_t page);
/* A page that a batch uses which is not replayed; call ms_timing_end_tlb_batch() after its last. */
void ms_timing_touch_page(struct ms_timing_tlb *tlb, uint64_t page);
void ms_timing_end_tlb_batch(struct ms_timing_tlb *tlb);

#endif
