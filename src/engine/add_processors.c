#include "engine/add_processors.h"

#include <assert.h>

#include "engine/coherence/inherit_caches.h"
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

bool ms_engine_can_add_processors(const struct ms_machine *machine)
{
	return ms_caches_is_lru_write_back(machine);
}

/* --- counts so far --- */

/* Instructions and references of the shard's filter. */
static void count_executions(const struct ms_engine_shard *shard, struct ms_count_thread *count)
{
	const struct ms_filter_state *filter = &shard->filter;

	count->references += ms_filter_count_references(shard);
	for (size_t b = 0; b < filter->blocks.n; b++) {
		const struct ms_filter_block *block = &filter->blocks.at[b];

		for (uint32_t i = 0;
		     block->desc->exit_instructions != NULL && i < block->desc->exits; i++)
			count->instructions += filter->exits.at[block->first_exit + i].count *
					       block->desc->exit_instructions[i];
	}
}

static uint64_t add_level(struct ms_count_level_misses *sum,
			  const struct ms_count_level_misses *level)
{
	uint64_t misses = 0;

	for (unsigned c = 0; c < MS_ENGINE_MISS_CAUSES; c++) {
		sum->causes[c] += level->causes[c];
		misses += level->causes[c];
	}
	sum->evictions += level->evictions;
	sum->covered += level->covered;
	return misses;
}

/* Misses so far were made while one processor was busy. */
static void add_misses(struct ms_count_miss_table *into, const struct ms_count_miss_table *from,
		       struct ms_count_thread *count)
{
	for (size_t i = 0; i < from->list.n; i++) {
		const struct ms_count_misses *old = from->list.at[i];
		struct ms_count_misses *sum = ms_count_get_misses(into, old->site, old->data, 0);

		for (unsigned l = 0; l < from->levels; l++) {
			uint64_t misses = add_level(&sum->level[l], &old->level[l]);

			ms_count_get_processor_misses(into, sum, l)->weighted +=
				misses * MS_COUNT_WEIGHT_UNIT;
			count->level[l].misses += misses;
		}
	}
}

static void forget_counters(struct ms_engine_shard *shard)
{
	struct ms_count_cell *cell;
	size_t at = 0;

	while ((cell = ms_count_next_cell(&shard->cells, &at)) != NULL)
		for (unsigned i = 0; i < shard->engine->shards; i++)
			cell->counters[i] = NULL;
}

/* Counters of several processors have more fields. What was counted so far becomes part of the
 * counts that belong to no shard. */
static void replace_miss_counters(struct ms_engine *engine, struct ms_count_thread *count)
{
	unsigned levels = engine->counts.finished.levels;
	struct ms_count_miss_table finished;

	ms_count_finish_pairs(engine);
	ms_count_flush_slice(engine);
	ms_count_open_misses(&finished, levels, true);
	add_misses(&finished, &engine->counts.finished, count);
	for (unsigned i = 0; i < engine->shards; i++) {
		struct ms_count_miss_table *own = &engine->shard[i].counts.miss_counters;

		add_misses(&finished, own, count);
		ms_count_close_misses(own);
		ms_count_open_misses(own, levels, true);
		forget_counters(&engine->shard[i]);
	}
	ms_count_close_misses(&engine->counts.finished);
	engine->counts.finished = finished;
	ms_count_begin_slice_threads(engine, count);
}

/* --- shards --- */

static void add_to_shard(struct ms_engine_shard *shard, const struct ms_engine_setup *setup)
{
	const struct ms_filter_state *filter = &shard->filter;

	shard->engine->variant->open_shard(shard, setup);
	ms_coherence_inherit_caches(shard);
	ms_caches_close_levels(shard);
	shard->caches.level = NULL;
	ms_caches_close_records(&shard->caches.lines);
	ms_caches_open_records(&shard->caches.lines, shard->levels);
	shard->processors->references = ms_filter_count_references(shard);
	for (size_t i = 0; i < filter->blocks.n; i++)
		shard->engine->variant->add_block(shard, filter->blocks.at[i].desc);
}

uint64_t ms_engine_add_processors(struct ms_engine *engine, const struct ms_machine *machine,
				  uint32_t thread)
{
	const struct ms_engine_setup setup = { .machine = machine };

	assert(!engine->variant->has_processors && !engine->variant->has_windows &&
	       engine->monitor == NULL);
	for (unsigned i = 0; i < engine->shards; i++)
		engine->variant->flush_references(&engine->shard[i]);
	ms_timing_add_processors(engine->timing);
	ms_causes_stop(engine);
	ms_spatial_add_processors(engine->spatial, machine, thread);
	engine->variant = ms_engine_choose_variant(&setup);
	engine->variant->open(engine, &setup);
	struct ms_count_thread *count = ms_count_get_thread(&engine->coherence.threads, thread, 0);
	replace_miss_counters(engine, count);
	for (unsigned i = 0; i < engine->shards; i++) {
		count_executions(&engine->shard[i], count);
		add_to_shard(&engine->shard[i], &setup);
	}
	return count->instructions;
}
