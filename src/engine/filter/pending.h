/*
 * engine/filter/pending.h - the accesses that the L1 filter keeps for the simulation, and their
 * distribution to shards.
 */
#ifndef MS_ENGINE_FILTER_PENDING_H
#define MS_ENGINE_FILTER_PENDING_H

#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/vec.h"

struct ms_count_cell;

/* An access that the L1 filter kept: its line is not the most recent one of its set. */
struct ms_filter_pending {
	/* Number of the line at the first level's line size; and the two bits below. */
	uint64_t line;
	struct ms_count_cell *cell;
};

#define MS_FILTER_SAME_REFERENCE \
	(UINT64_C(1) << 63) /* same reference as the pending access before */
#define MS_FILTER_SPLIT_REFERENCE \
	(UINT64_C(1) << 62) /* other shards own other lines of the reference */

/* From here on, pending accesses belong to this phase. */
struct ms_filter_phase_span {
	size_t from;
	uint32_t phase;
};

/*
 * A pending access of a reference whose other lines other shards own, and the reference's number in
 * all shards.
 */
struct ms_filter_split_reference {
	size_t index;
	uint32_t reference;
};

/* The pending accesses of a batch, in order: all of them, or those of one shard. */
struct ms_filter_pending_list {
	struct ms_filter_pending *at;
	size_t n;
	size_t room;
	MS_VEC(struct ms_filter_phase_span) spans;
	MS_VEC(struct ms_filter_split_reference) split_references;
} MS_ALIGNED(128); /* avoids false sharing between shards */

/* batch_distribution.c */
void ms_filter_reserve_pending(struct ms_filter_pending_list *pending_list, size_t more);
void ms_filter_begin_span(struct ms_filter_pending_list *pending_list, uint32_t phase);
void ms_filter_clear_pending(struct ms_filter_pending_list *pending_list);
void ms_filter_free_pending(struct ms_filter_pending_list *pending_list);
/* Index of the first access after the span. */
MS_INLINE size_t ms_filter_find_span_end(const struct ms_filter_pending_list *pending_list,
					 size_t span)
{
	return span + 1 < pending_list->spans.n ? pending_list->spans.at[span + 1].from
						: pending_list->n;
}
/* The number that all shards use for the reference of a split pending access. */
uint32_t ms_filter_find_reference(const struct ms_filter_pending_list *pending_list,
				  size_t pending);

#endif
