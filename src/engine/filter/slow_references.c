/*
 * engine/filter/slow_references.c - references that the hot loop of the L1 filter does not handle:
 * over several lines, to lines that are selected or in sets that are not sampled, and to other data
 * than before.
 */
#include "engine/filter/references.h"

/*
 * Set sampling simulates some sets only. A line of another set must not be looked up: it would
 * always miss.
 */
static bool is_in_sampled_set(const struct ms_engine_shard *shard, uint64_t line)
{
	const struct ms_engine_windows_state *w = shard->engine->windows;
	uint64_t address = line << shard->first_shift;

	return shard->windows.sampled_groups == NULL ||
	       shard->windows.sampled_groups[address >> w->sets.shift & w->sets.mask] != 0;
}

/* A malformed trace can have a reference that extends beyond the last address; it is truncated. */
static uint64_t last_line(const struct ms_engine_shard *shard,
			  const struct ms_filter_ref_state *ref_state, uint64_t address)
{
	uint64_t end = address + ref_state->reach;

	return (end < address ? UINT64_MAX : end) >> shard->first_shift;
}

static enum ms_engine_crossing find_crossing(const struct ms_engine_shard *shard,
					     const struct ms_filter_ref_state *ref_state,
					     uint64_t address)
{
	uint64_t line = address >> shard->first_shift, last = last_line(shard, ref_state, address);

	if (shard->windows.sampled_groups == NULL || line == last)
		return MS_ENGINE_CROSSES_NONE;
	if (!is_in_sampled_set(shard, line))
		return MS_ENGINE_CROSSES_INTO;
	return is_in_sampled_set(shard, last) ? MS_ENGINE_CROSSES_NONE : MS_ENGINE_CROSSES_OUT;
}

/*
 * Keeps an access to a selected line, and does not remember the line as the most recent one of its
 * set: so the next access to it is kept, too. From `address` on, the access has `size` bytes on the
 * line.
 */
static struct ms_filter_pending *filter_selected_line(struct ms_engine_shard *shard,
						      const struct ms_filter_ref_state *ref_state,
						      uint64_t address, uint32_t size,
						      struct ms_filter_pending access,
						      struct ms_filter_pending *out)
{
	uint64_t line = address >> shard->first_shift;
	uint64_t *recent =
		&shard->filter.recent[ms_caches_index_lru_set(&shard->caches.first, line)];

	if (!ms_spatial_record_touch(shard, ref_state, address, size,
				     (uint32_t)(out - shard->filter.pending.at)))
		return ms_filter_line(recent, shard->filter.keeps_all, line, access.cell,
				      access.line & MS_FILTER_SAME_REFERENCE, out);
	*recent = ms_filter_make_absent_line(&shard->caches.first, line);
	*out = access;
	return out + 1;
}

/* The bytes of a reference that are on the line. */
static uint32_t count_bytes_on_line(const struct ms_engine_shard *shard,
				    const struct ms_filter_ref_state *ref_state, uint64_t address,
				    uint64_t from)
{
	uint64_t end = address + ref_state->reach,
		 last = from | ((UINT64_C(1) << shard->first_shift) - 1);

	return (uint32_t)((end < address || end > last ? last : end) - from + 1);
}

/* The part of a reference that is on one line of several, or on a selected line. */
static struct ms_filter_pending *filter_part(struct ms_engine_shard *shard,
					     const struct ms_filter_ref_state *ref_state,
					     uint64_t address, struct ms_filter_pending access,
					     struct ms_filter_pending *out)
{
	uint64_t line = access.line & ~MS_FILTER_SAME_REFERENCE;
	uint64_t from = line << shard->first_shift;

	from = from < address ? address : from;
	if (ms_spatial_is_selected(shard->spatial.threshold, line))
		return filter_selected_line(shard, ref_state, from,
					    count_bytes_on_line(shard, ref_state, address, from),
					    access, out);
	if (!is_in_sampled_set(shard, line))
		return out;
	return ms_filter_line(
		&shard->filter.recent[ms_caches_index_lru_set(&shard->caches.first, line)],
		shard->filter.keeps_all, line, access.cell, access.line & MS_FILTER_SAME_REFERENCE,
		out);
}

static MS_NOINLINE struct ms_filter_pending *
filter_part_by_part(struct ms_engine_shard *shard, const struct ms_filter_ref_state *ref_state,
		    uint64_t address, struct ms_count_cell *cell, struct ms_filter_pending *out)
{
	struct ms_filter_pending *first = out;
	uint64_t last = last_line(shard, ref_state, address);

	for (uint64_t line = address >> shard->first_shift;; line++) {
		uint64_t mark = out != first ? MS_FILTER_SAME_REFERENCE : 0;

		out = filter_part(shard, ref_state, address,
				  (struct ms_filter_pending){ line | mark, cell }, out);
		if (line == last)
			return out;
	}
}

/*
 * Filters any reference; cell is NULL if its data is looked up later. Mostly it is to one line,
 * which is not selected.
 */
MS_INLINE struct ms_filter_pending *filter_lines(struct ms_engine_shard *shard,
						 const struct ms_filter_ref_state *ref_state,
						 uint64_t address, struct ms_count_cell *cell,
						 struct ms_filter_pending *out)
{
	uint64_t line = address >> shard->first_shift;

	if (MS_UNLIKELY(last_line(shard, ref_state, address) != line ||
			ms_spatial_is_selected(shard->spatial.threshold, line)))
		return filter_part_by_part(shard, ref_state, address, cell, out);
	if (!is_in_sampled_set(shard, line))
		return out;
	return ms_filter_line(
		&shard->filter.recent[ms_caches_index_lru_set(&shard->caches.first, line)],
		shard->filter.keeps_all, line, cell, 0, out);
}

/*
 * A site that visits one object after another need not refer to each of them: mostly the page's tag
 * shows that an object belongs to the same data as the one before, or to the other one of two that
 * alternate. Where addresses stay close together, it is faster to refer to the range, unless there
 * is no range, as in freed memory and between objects. NULL: the data must be looked up.
 */
static struct ms_count_cell *find_nearby_cell(struct ms_engine_shard *shard,
					      const struct ms_filter_ref_state *ref_state,
					      uint64_t address)
{
	enum { CLOSE_BITS = 8 };
	uint64_t *recent_unknown =
		&shard->filter.recent_unknown[(uintptr_t)ref_state / sizeof(*ref_state) %
					      MS_FILTER_RECENT_UNKNOWN];
	bool close = *recent_unknown == address >> CLOSE_BITS;
	struct ms_count_cell *cell = ref_state->cell;
	uint32_t data;

	if (cell == NULL || (close && ref_state->range != &shard->address_map.empty_range))
		return NULL;
	*recent_unknown = address >> CLOSE_BITS;
	data = ms_address_map_get_tagged_data(&shard->address_map, address);
	if (MS_UNLIKELY(data == shard->address_map.fallback.stack)) {
		const struct ms_filter_block *block = &shard->filter.blocks.at[ref_state->block];

		data = ms_engine_choose_data(shard, block->desc,
					     (size_t)(ref_state - block->ref_states), data);
	}
	if (cell->data == data)
		return cell;
	return !close && cell->previous != NULL && cell->previous->data == data ? cell->previous
										: NULL;
}

struct ms_filter_pending *ms_filter_process_slow_reference(struct ms_engine_shard *shard,
							   struct ms_filter_ref_state *ref_state,
							   uint64_t address,
							   struct ms_filter_pending *out)
{
	struct ms_filter_unbound *u = &shard->filter.unbound[shard->filter.unbound_count];
	struct ms_filter_pending *next;

	enum ms_engine_crossing crosses = find_crossing(shard, ref_state, address);
	bool counts = crosses != MS_ENGINE_CROSSES_INTO;

	if (address - ref_state->range->start < ref_state->range->size) {
		if (counts)
			ms_filter_count_in_part(shard, ref_state->cell, address);
		ref_state->since += !counts;
		return filter_lines(
			shard, ref_state, address,
			ms_count_get_crossing_cell(&shard->cells, ref_state->cell, crosses), out);
	}
	ref_state->since++; /* not counted for its present cell: it is counted for another one when
			       its data is found ... */
	if (address == 0)
		return out; /* ... or is a conditional reference that was not executed */
	struct ms_count_cell *cell = find_nearby_cell(shard, ref_state, address);
	if (cell != NULL) {
		cell->references += counts;
		if (counts)
			ms_filter_count_in_part(shard, cell, address);
		return filter_lines(shard, ref_state, address,
				    ms_count_get_crossing_cell(&shard->cells, cell, crosses), out);
	}
	*u = (struct ms_filter_unbound){
		address, ref_state, ms_address_map_find_entry(&shard->address_map, address),
		out,     0,         crosses
	};
	__builtin_prefetch(u->where);
	next = filter_lines(shard, ref_state, address, NULL, out);
	u->lines = (uint32_t)(next - out);
	shard->filter.unbound_count++;
	return next;
}
