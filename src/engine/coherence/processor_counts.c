/* engine/coherence/processor_counts.c - sums what the filters of several processors have counted.
 */
#include "engine/coherence/coherence.h"
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

void ms_coherence_flush_ref_state(const struct ms_coherence_processors *p,
				  const struct ms_coherence_processor *processor,
				  struct ms_coherence_ref_state *ref_state)
{
	const struct ms_engine_block *block = p->blocks.at[ref_state->block];
	const struct ms_coherence_exit *exit =
		&processor->exits.at[p->first_exits.at[ref_state->block]];
	uint64_t number = (uint64_t)(ref_state - processor->ref_states.at[ref_state->block]),
		 executed = 0;

	for (uint32_t i = 0; i < block->exits; i++)
		executed += block->exit_refs[i] > number ? exit[i].count : 0;
	if (ref_state->cell != NULL)
		ref_state->cell->references += executed - ref_state->since;
	ref_state->since = executed;
}

void ms_coherence_flush_references(struct ms_engine_shard *shard)
{
	const struct ms_coherence_processors *p = shard->processors;

	for (uint32_t i = 0; i < p->count; i++)
		for (size_t b = 0; p->at[i] != NULL && b < p->at[i]->ref_states.n; b++)
			for (uint32_t k = 0;
			     p->at[i]->ref_states.at[b] != NULL && k < p->blocks.at[b]->refs; k++)
				ms_coherence_flush_ref_state(p, p->at[i],
							     &p->at[i]->ref_states.at[b][k]);
}

/* Conditional references that were not executed do not count. */
uint64_t ms_coherence_count_references(const struct ms_engine_shard *shard)
{
	return shard->processors->references - shard->processors->skipped;
}

uint64_t ms_coherence_estimate_references(const struct ms_engine_shard *shard)
{
	return shard->processors->references;
}

bool ms_coherence_next_cell_table(struct ms_engine_shard *shard, uint32_t *at,
				  struct ms_engine_cell_table *table)
{
	const struct ms_coherence_processors *p = shard->processors;

	while (*at < p->count && p->at[*at] == NULL)
		++*at;
	if (*at > p->count)
		return false;
	/* Cells of the time before there were several processors. */
	if (*at == p->count) {
		*table = (struct ms_engine_cell_table){ &shard->cells, &shard->windows.cells };
		++*at;
		return !p->in_windows;
	}
	*table = (struct ms_engine_cell_table){ &p->at[*at]->cells, &p->at[*at]->window_cells };
	++*at;
	return true;
}

uint64_t ms_coherence_count_lines(const struct ms_engine_shard *shard, uint64_t *bytes)
{
	uint64_t lines = ms_coherence_count_units(shard->configurable->coherence, bytes);

	*bytes += ms_caches_measure_records(shard->configurable);
	return lines;
}

/* --- exits --- */

static uint64_t count_exits(const struct ms_coherence_processors *p, uint32_t processor,
			    uint32_t block, uint32_t exit, uint64_t *weighted)
{
	*weighted = 0;
	if (processor >= p->count || p->at[processor] == NULL)
		return 0;
	if (block >= p->first_exits.n) /* the stream ended before the block was described */
		return 0;
	uint32_t number = p->first_exits.at[block] + exit;
	if (number >= p->at[processor]->exits.n)
		return 0;
	*weighted = p->at[processor]->exits.at[number].weighted;
	return p->at[processor]->exits.at[number].count;
}

uint64_t ms_coherence_count_exits(const struct ms_engine *engine, uint32_t processor,
				  uint32_t block, uint32_t exit, double *weighted)
{
	double alone;
	uint64_t count = ms_filter_count_exits(engine, processor, block, exit, &alone);
	uint64_t parts = count * MS_COUNT_WEIGHT_UNIT, more;

	for (unsigned i = 0; i < engine->shards; i++) {
		count += count_exits(engine->shard[i].processors, processor, block, exit, &more);
		parts += more;
	}
	*weighted = (double)parts / MS_COUNT_WEIGHT_UNIT;
	return count;
}
