/*
 * engine/filter/references.h - one reference in the L1 filter: what the hot loop (l1_filter.c)
 * shares with the references that it does not handle itself (slow_references.c), and with those
 * whose data is looked up later (reference_data.c).
 */
#ifndef MS_ENGINE_FILTER_REFERENCES_H
#define MS_ENGINE_FILTER_REFERENCES_H

#include "engine/engine_priv.h"

/* Counts a reference by part. Only with sampled sets. */
MS_INLINE void ms_filter_count_in_part(const struct ms_engine_shard *shard,
				       struct ms_count_cell *cell, uint64_t address)
{
	if (shard->cells.parts > 0)
		ms_count_cell_windows(cell, shard->cells.shards)
			->part_references[ms_engine_windows_get_part(&shard->windows, address)]++;
}

/* Keeps an access to a line unless the line is the most recent one of its set. all: keeps any. */
MS_INLINE struct ms_filter_pending *ms_filter_line(uint64_t *recent, const bool all, uint64_t line,
						   struct ms_count_cell *cell, uint64_t mark,
						   struct ms_filter_pending *out)
{
	*out = (struct ms_filter_pending){ line | mark, cell };
	out += all || *recent != line;
	*recent = line;
	return out;
}

/*
 * slow_references.c: filters a reference over several lines, to a selected line, or to an address
 * outside the range of its ref_state.
 */
struct ms_filter_pending *ms_filter_process_slow_reference(struct ms_engine_shard *shard,
							   struct ms_filter_ref_state *ref_state,
							   uint64_t address,
							   struct ms_filter_pending *out);

#endif
