/*
 * engine/filter/reference_data.c - which data a static reference counts for.
 *
 * A reference to another object than the last one of its ref_state must look its data up, which
 * misses the host's caches. Such lookups are collected and done together, so that their prefetches
 * overlap.
 */
#include "engine/filter/references.h"

/* The references that a ref_state has made so far. Not during an execution. */
static uint64_t count_executed(const struct ms_engine_shard *shard,
			       const struct ms_filter_ref_state *ref_state)
{
	const struct ms_filter_block *block = &shard->filter.blocks.at[ref_state->block];
	uint64_t number = (uint64_t)(ref_state - block->ref_states), executed = 0;

	for (uint32_t i = 0; i < block->desc->exits; i++) {
		const struct ms_filter_exit *exit = &shard->filter.exits.at[block->first_exit + i];

		executed += exit->refs > number ? exit->count : 0;
	}
	return executed;
}

void ms_filter_flush_ref_state(const struct ms_engine_shard *shard,
			       struct ms_filter_ref_state *ref_state)
{
	uint64_t executed = count_executed(shard, ref_state);

	if (ref_state->cell != NULL)
		ref_state->cell->references += executed - ref_state->since;
	ref_state->since = executed;
}

static void add_bound_block(struct ms_engine_shard *shard, uint32_t number)
{
	struct ms_filter_block *block = &shard->filter.blocks.at[number];

	if (!block->has_cells)
		*ms_vec_add(&shard->filter.bound_blocks) = number;
	block->has_cells = true;
}

/* Sets the data of the ref_state's references from now on. */
static void set_data(struct ms_engine_shard *shard, struct ms_filter_ref_state *ref_state,
		     uint32_t data)
{
	const struct ms_filter_block *block = &shard->filter.blocks.at[ref_state->block];
	const size_t number = (size_t)(ref_state - block->ref_states);
	const struct ms_engine_block_ref *ref = &block->desc->ref[number];

	data = ms_engine_choose_data(shard, block->desc, number, data);
	if (ref_state->cell == NULL) {
		add_bound_block(shard, ref_state->block);
		ms_filter_flush_ref_state(shard, ref_state);
		ref_state->cell = ms_count_get_cell(&shard->cells, ref->site, ref->kind, data);
	} else if (ref_state->cell->data != data) {
		if (!shard->filter.misses_only) /* else any cell of the site will do */
			ms_filter_flush_ref_state(shard, ref_state);
		ref_state->cell = ms_count_get_next_cell(&shard->cells, ref_state->cell, data);
	}
}

void ms_filter_bind_references(struct ms_engine_shard *shard)
{
	const struct ms_filter_unbound *end = shard->filter.unbound + shard->filter.unbound_count;

	shard->filter.binding_epoch += shard->filter.unbound_count > 0;
	for (const struct ms_filter_unbound *u = shard->filter.unbound; u < end; u++)
		if (*u->where > MS_ADDRESS_MAP_FREED)
			__builtin_prefetch(
				ms_address_map_get_range(&shard->address_map, *u->where));
	for (const struct ms_filter_unbound *u = shard->filter.unbound; u < end; u++) {
		set_data(shard, u->ref_state,
			 ms_address_map_resolve_entry(&shard->address_map, u->address, *u->where,
						      &u->ref_state->range));
		struct ms_count_cell *cell = u->ref_state->cell;
		if (u->crosses != MS_ENGINE_CROSSES_INTO) {
			cell->references++;
			ms_filter_count_in_part(shard, cell, u->address);
		}
		cell = ms_count_get_crossing_cell(&shard->cells, cell, u->crosses);
		for (uint32_t k = 0; k < u->lines; k++)
			u->pending[k].cell = cell;
	}
	shard->filter.unbound_count = 0;
}
