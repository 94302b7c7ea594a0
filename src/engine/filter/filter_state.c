/*
 * engine/filter/filter_state.c - opens and resets the filter of one processor, adds blocks to it,
 * and sums what it has counted.
 */
#include "engine/filter/filter_state.h"

#include "engine/engine_priv.h"
#include "engine/filter/loop_filter.h"
#include "engine/variant_priv.h"

void ms_filter_reset(struct ms_engine_shard *shard)
{
	for (uint64_t set = 0; set < shard->caches.first.set_count; set++)
		shard->filter.recent[set] = ms_filter_make_absent_line(&shard->caches.first, set);
}

void ms_filter_open(struct ms_engine_shard *shard)
{
	struct ms_filter_state *filter = &shard->filter;

	filter->recent = ms_alloc(shard->caches.first.set_count * sizeof(*filter->recent));
	filter->unbound = ms_alloc(MS_FILTER_UNBOUND_CAPACITY * sizeof(*filter->unbound));
	filter->loop_impl = ms_filter_choose_loop_impl();
	ms_filter_reset(shard);
}

void ms_filter_close(struct ms_filter_state *filter)
{
	ms_free(filter->recent);
	ms_free(filter->unbound);
	ms_filter_free_pending(&filter->pending);
	ms_vec_free(&filter->blocks);
	ms_vec_free(&filter->exits);
	ms_vec_free(&filter->bound_blocks);
	ms_arena_free(&filter->arena);
}

/* --- blocks --- */

void ms_filter_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block)
{
	uint32_t line = 1u << shard->first_shift;
	struct ms_filter_ref_state *ref_states;

	ref_states = ms_arena_take(&shard->filter.arena, block->refs * sizeof(*ref_states));
	for (uint32_t i = 0; i < block->refs; i++) {
		uint32_t reach = block->ref[i].size > 0 ? block->ref[i].size - 1u : 0;
		uint32_t lines = (reach >> shard->first_shift) + 2;

		ref_states[i] = (struct ms_filter_ref_state){
			.range = &shard->address_map.empty_range,
			.block = (uint32_t)shard->filter.blocks.n,
			.reach = (uint16_t)reach,
			.room = (uint16_t)(reach < line ? line - reach : 0),
		};
		if (shard->filter.misses_only)
			ref_states[i].cell =
				ms_count_get_cell(&shard->cells, block->ref[i].site,
						  block->ref[i].kind, shard->filter.hits);
		if (lines > shard->filter.most_lines)
			shard->filter.most_lines = lines;
	}
	*ms_vec_add(&shard->filter.blocks) =
		(struct ms_filter_block){ .desc = block,
					  .ref_states = ref_states,
					  .first_exit = (uint32_t)shard->filter.exits.n };
	for (uint32_t i = 0; i < block->exits; i++)
		*ms_vec_add(&shard->filter.exits) = (struct ms_filter_exit){
			.ref_states = ref_states,
			.refs = block->exit_refs[i],
			.calls = shard->call_paths.is_on && block->calls != NULL
					 ? block->calls->exit_calls[i]
					 : MS_ENGINE_EXIT_NO_CALLS,
		};
	if (block->exits > 0) /* a malformed trace can have blocks without exits */
		ms_filter_find_loop_periods(shard, block,
					    shard->filter.exits.at + shard->filter.exits.n -
						    block->exits);
}

uint32_t ms_filter_find_block(const struct ms_engine_shard *shard, uint32_t exit)
{
	const struct ms_filter_state *filter = &shard->filter;
	size_t from = 0, to = filter->blocks.n;

	while (to - from > 1) {
		size_t middle = (from + to) / 2;

		if (filter->blocks.at[middle].first_exit <= exit)
			from = middle;
		else
			to = middle;
	}
	return (uint32_t)from;
}

/* --- counts --- */

void ms_filter_flush_references(struct ms_engine_shard *shard)
{
	const struct ms_filter_state *filter = &shard->filter;

	for (size_t b = 0; b < filter->blocks.n; b++)
		for (uint32_t i = 0; i < filter->blocks.at[b].desc->refs; i++)
			ms_filter_flush_ref_state(shard, &filter->blocks.at[b].ref_states[i]);
}

uint64_t ms_filter_count_references(const struct ms_engine_shard *shard)
{
	const struct ms_count_cell *cell;
	uint64_t references = 0;
	size_t at = 0;

	while ((cell = ms_count_next_cell(&shard->cells, &at)) != NULL)
		references += cell->references;
	return references;
}

uint64_t ms_filter_estimate_references(const struct ms_engine_shard *shard)
{
	uint64_t references = 0;

	for (size_t i = 0; i < shard->filter.exits.n; i++)
		references += shard->filter.exits.at[i].count * shard->filter.exits.at[i].refs;
	return references;
}

uint64_t ms_filter_count_exits(const struct ms_engine *engine, uint32_t processor, uint32_t block,
			       uint32_t exit, double *weighted)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < engine->shards; i++) {
		const struct ms_filter_state *filter = &engine->shard[i].filter;

		if (processor == 0 && block < filter->blocks.n) /* else malformed */
			count += filter->exits.at[filter->blocks.at[block].first_exit + exit].count;
	}
	*weighted = (double)count;
	return count;
}

bool ms_filter_next_cell_table(struct ms_engine_shard *shard, uint32_t *at,
			       struct ms_engine_cell_table *table)
{
	*table = (struct ms_engine_cell_table){ &shard->cells, &shard->windows.cells };
	return (*at)++ == 0;
}
