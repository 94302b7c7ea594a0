/*
 * engine/engine.c - opens and closes the engine and its shards, and passes batches through the
 * steps of its variant.
 */
#include "engine/engine.h"

#include <assert.h>

#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

enum { MAX_GROUPS = 4096 };

/*
 * A filter resets all its sets before another shard filters. With more sets than this, that costs
 * too much, and only one shard filters.
 */
enum { MAX_RESET_SETS = 4096 };

/* Adjacent groups belong to one shard, so that few references touch lines of two shards. */
static void divide_sets(struct ms_engine *engine, const struct ms_machine *machine)
{
	struct ms_engine_windows_sets all = ms_engine_windows_find_set_groups(machine);
	uint64_t groups = all.mask + 1;

	if (engine->variant->is_undivided || ms_caches_needs_one_shard(machine))
		groups = 1;
	engine->group_shift = all.shift;
	if (groups > MAX_GROUPS) {
		engine->group_shift += (uint32_t)__builtin_ctzll(groups / MAX_GROUPS);
		groups = MAX_GROUPS;
	}
	engine->group_mask = groups - 1;
	engine->owner = ms_alloc(groups);
	for (uint64_t g = 0; g < groups; g++)
		engine->owner[g] = (uint8_t)(g * engine->shards / groups);
}

static void open_shard(struct ms_engine *engine, unsigned number,
		       const struct ms_engine_setup *setup)
{
	const struct ms_engine_variant *variant = engine->variant;
	const struct ms_machine_level *first = &setup->machine->levels.at[0];
	struct ms_engine_shard *shard = &engine->shard[number];

	*shard = (struct ms_engine_shard){
		.engine = engine,
		.number = number,
		.levels = (unsigned)setup->machine->levels.n,
	};
	ms_caches_open_lru(&shard->caches.first, first, first);
	shard->first_shift = shard->caches.first.line_shift;
	shard->caches.splits = ms_alloc(engine->batch_count * sizeof(*shard->caches.splits));
	ms_caches_open_records(&shard->caches.lines, shard->levels);
	ms_filter_open(shard);
	ms_address_map_open(&shard->address_map, setup->data);
	ms_count_open_cells(&shard->cells, engine->shards, 0, variant->has_windows);
	ms_count_open_misses(&shard->counts.miss_counters, shard->levels, variant->has_processors);
	ms_count_open_line_changes(&shard->counts.line_changes, shard->levels, engine->batch_count);
	variant->open_shard(shard, setup);
}

static void open_batches(struct ms_engine *engine)
{
	engine->batch = ms_alloc(engine->batch_count * sizeof(*engine->batch));
	for (unsigned i = 0; i < engine->batch_count; i++) {
		engine->batch[i].shares =
			ms_pages_alloc(engine->shards * sizeof(*engine->batch[i].shares));
		engine->batch[i].pairs = ms_alloc(engine->shards * sizeof(*engine->batch[i].pairs));
		engine->batch[i].slices =
			ms_alloc(engine->shards * sizeof(*engine->batch[i].slices));
	}
}

struct ms_engine *ms_engine_open_variant(const struct ms_engine_setup *setup)
{
	struct ms_engine *engine = ms_alloc(sizeof(*engine));
	const struct ms_engine_variant *variant = ms_engine_choose_variant(setup);
	const struct ms_machine *machine = setup->machine;
	unsigned levels = (unsigned)machine->levels.n;

	engine->variant = variant;
	engine->shards = setup->shards < 1           ? 1
			 : setup->shards > UINT8_MAX ? UINT8_MAX
						     : setup->shards;
	engine->batch_count = setup->batch_count < 1 ? 1 : setup->batch_count;
	divide_sets(engine, machine);
	engine->filtering_shards =
		variant->filters_anywhere ||
				ms_machine_sets(&machine->levels.at[0]) <= MAX_RESET_SETS
			? engine->shards
			: 1;
	open_batches(engine);
	ms_count_open_pair_sums(&engine->counts.pairs);
	engine->counts.epoch = MS_ENGINE_PAIR_EPOCH;
	ms_count_open_misses(&engine->counts.finished, levels, variant->has_processors);
	ms_count_open_occupancy(&engine->counts.occupancy, levels);
	ms_count_open_slices(&engine->counts.slices, machine);
	engine->timing = ms_timing_open(engine, setup);
	engine->spatial = ms_spatial_open(engine, setup);
	variant->open(engine, setup);
	engine->shard = ms_pages_alloc(engine->shards * sizeof(*engine->shard));
	for (unsigned i = 0; i < engine->shards; i++)
		open_shard(engine, i, setup);
	return engine;
}

struct ms_engine *ms_engine_open(const struct ms_machine *machine, unsigned shards,
				 unsigned batch_count, const struct ms_engine_fallback_data *data)
{
	return ms_engine_open_variant(&(struct ms_engine_setup){
		.machine = machine,
		.shards = shards,
		.batch_count = batch_count,
		.data = data,
	});
}

struct ms_count_misses *ms_engine_add_miss_counters(struct ms_engine_shard *shard,
						    const struct ms_count_cell *cell)
{
	struct ms_count_misses *counters = ms_count_new_misses(
		&shard->counts.miss_counters, cell->site, cell->data, cell->processor);

	counters->crosses = cell->crosses;
	return counters;
}

void ms_engine_limit_pairs(struct ms_engine *engine, const struct ms_engine_pair_limit *limit)
{
	engine->counts.pairs.limit = limit->pairs;
	engine->counts.pairs.other_data = limit->other_data;
	engine->counts.epoch = limit->batches > 0 ? limit->batches : MS_ENGINE_PAIR_EPOCH;
}

void ms_engine_skip_hits(struct ms_engine *engine, uint32_t hits)
{
	assert(!engine->variant->has_windows);
	for (unsigned i = 0; i < engine->shards; i++) {
		engine->shard[i].filter.misses_only = true;
		engine->shard[i].filter.hits = hits;
	}
}

void ms_engine_select_lines(struct ms_engine *engine, uint32_t rate)
{
	if (engine->spatial == NULL)
		return;
	if (rate != MS_ENGINE_SELECT_NO_LINES) {
		ms_spatial_set_rate(engine, rate);
		return;
	}
	ms_spatial_close(engine->spatial);
	engine->spatial = NULL;
}

void ms_engine_divide_replacements(struct ms_engine *engine, const struct ms_machine *machine,
				   enum ms_engine_division division)
{
	engine->causes = ms_causes_open(engine, machine, division);
	if (engine->causes == NULL)
		return;
	for (unsigned i = 0; i < engine->shards; i++) {
		struct ms_engine_shard *shard = &engine->shard[i];

		ms_caches_close_records(&shard->caches.lines);
		ms_caches_open_records(&shard->caches.lines,
				       ms_causes_count_record_words(engine->causes));
	}
	if (division == MS_ENGINE_DIVIDED_EXACTLY)
		ms_causes_make_exact(engine);
	ms_spatial_divide_replacements(engine, machine);
}

static void close_shard(struct ms_engine_shard *shard)
{
	unsigned batch_count = shard->engine->batch_count;

	shard->engine->variant->close_shard(shard);
	ms_caches_close_lru(&shard->caches.first);
	ms_vec_free(&shard->caches.missed_lines);
	for (unsigned i = 0; i < batch_count; i++)
		ms_vec_free(&shard->caches.splits[i].at);
	ms_free(shard->caches.splits);
	ms_caches_close_records(&shard->caches.lines);
	ms_filter_close(&shard->filter);
	ms_address_map_close(&shard->address_map);
	ms_count_close_cells(&shard->cells);
	ms_count_close_misses(&shard->counts.miss_counters);
	ms_count_close_line_changes(&shard->counts.line_changes, batch_count);
	ms_vec_free(&shard->timing.executions);
	ms_vec_free(&shard->call_paths.marks.at);
	ms_vec_free(&shard->call_paths.marks.stacks);
	ms_spatial_close_filter(&shard->spatial);
	ms_vec_free(&shard->phase_references.counts.at);
	ms_vec_free(&shard->counts.phases.at);
	ms_count_close_sets(&shard->counts.sets);
	ms_causes_close_shard(shard);
}

void ms_engine_end_simulation(struct ms_engine *engine)
{
	if (engine->variant->has_windows || engine->variant->has_processors)
		return;
	for (unsigned i = 0; i < engine->shards; i++)
		ms_caches_close_records(&engine->shard[i].caches.lines);
}

void ms_engine_release_counters(struct ms_engine *engine)
{
	for (unsigned i = 0; i < engine->shards; i++) {
		ms_count_close_misses(&engine->shard[i].counts.miss_counters);
		ms_caches_close_records(&engine->shard[i].caches.lines);
	}
	ms_count_close_misses(&engine->counts.finished);
	ms_count_close_pair_sums(&engine->counts.pairs);
}

void ms_engine_close(struct ms_engine *engine)
{
	if (engine == NULL)
		return;
	for (unsigned i = 0; i < engine->shards; i++)
		close_shard(&engine->shard[i]);
	for (unsigned i = 0; i < engine->batch_count; i++) {
		for (unsigned k = 0; k < engine->shards; k++) {
			ms_filter_free_pending(&engine->batch[i].shares[k]);
			ms_vec_free(&engine->batch[i].pairs[k].at);
			ms_count_free_slice_list(&engine->batch[i].slices[k]);
		}
		ms_free(engine->batch[i].pairs);
		ms_free(engine->batch[i].slices);
		ms_pages_free(engine->batch[i].shares,
			      engine->shards * sizeof(*engine->batch[i].shares));
	}
	engine->variant->close(engine);
	ms_timing_close(engine->timing);
	ms_call_paths_close(engine->call_paths);
	ms_spatial_close(engine->spatial);
	ms_causes_close(engine->causes);
	ms_count_close_misses(&engine->counts.finished);
	ms_count_close_pair_sums(&engine->counts.pairs);
	ms_count_close_occupancy(&engine->counts.occupancy);
	ms_count_close_slices(&engine->counts.slices);
	ms_free(engine->batch);
	ms_pages_free(engine->shard, engine->shards * sizeof(*engine->shard));
	ms_vec_free(&engine->counts.finished_phases.at);
	ms_free(engine->owner);
	ms_free(engine);
}

unsigned ms_engine_count_filtering_shards(const struct ms_engine *engine)
{
	return engine->filtering_shards;
}

struct ms_engine_shard *ms_engine_get_shard(struct ms_engine *engine, unsigned i)
{
	return &engine->shard[i];
}

/* --- batches --- */

void ms_engine_begin_batch(struct ms_engine_shard *shard, uint64_t number)
{
	ms_timing_begin_batch(shard, number);
	ms_call_paths_begin_batch(shard);
	ms_spatial_begin_batch(shard, number);
	ms_causes_begin_batch(shard, number);
}

size_t ms_engine_filter_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n)
{
	size_t filtered = shard->engine->variant->filter(shard, words, n);

	ms_timing_keep_executions(shard, words, filtered);
	return filtered;
}

void ms_engine_distribute_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	shard->engine->batch[batch_index].steps = shard->filter.steps;
	shard->filter.steps = 0;
	shard->engine->batch[batch_index].phase = shard->phase_references.now;
	ms_timing_hand_over(shard, batch_index);
	ms_call_paths_hand_over(shard, batch_index);
	ms_spatial_hand_over(shard, batch_index);
	ms_causes_hand_over(shard, batch_index);
	shard->engine->variant->distribute(shard, batch_index);
}

void ms_engine_reset_filter(struct ms_engine_shard *shard)
{
	shard->engine->variant->reset_filter(shard);
}

void ms_engine_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index)
{
	ms_count_begin_line_changes(&shard->counts.line_changes, batch_index);
	ms_spatial_begin_simulation(shard, batch_index);
	ms_causes_begin_simulation(shard, batch_index);
	shard->engine->variant->simulate(shard, batch_index);
	ms_filter_clear_pending(ms_engine_get_share(shard, batch_index));
	ms_count_end_epoch_batch(shard, batch_index);
	ms_count_end_slice_batch(shard, batch_index);
}

void ms_engine_finish_batch(struct ms_engine *engine, unsigned batch_index)
{
	ms_count_finish_occupancy(engine, batch_index);
	engine->variant->finish(engine, batch_index);
	ms_timing_finish_batch(engine, batch_index);
	ms_call_paths_finish_batch(engine, batch_index);
	ms_spatial_finish_batch(engine, batch_index);
	ms_causes_finish_batch(engine, batch_index);
	ms_count_finish_slice(engine, batch_index);
	ms_count_finish_epoch(engine, batch_index);
}

void ms_engine_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block)
{
	shard->engine->variant->add_block(shard, block);
	ms_call_paths_add_block(shard, block);
}

/* --- counts --- */

void ms_engine_compute_grouped_totals(struct ms_engine *engine,
				      const struct ms_engine_site_groups *groups,
				      struct ms_engine_totals *totals)
{
	ms_count_compute_totals(engine, groups, totals);
}

void ms_engine_compute_totals(struct ms_engine *engine, struct ms_engine_totals *totals)
{
	ms_count_compute_totals(engine, NULL, totals);
}

void ms_engine_free_totals(struct ms_engine_totals *totals)
{
	ms_count_free_totals(totals);
}

void ms_engine_get_phase(struct ms_engine *engine, uint32_t phase, uint64_t *references,
			 uint64_t *misses)
{
	ms_count_sum_phase(engine, phase, references, misses);
}

size_t ms_engine_update_progress(struct ms_engine_shard *shard)
{
	uint64_t references = shard->engine->variant->counts->estimate_references(shard);

	__atomic_store_n(&shard->filter.references, references, __ATOMIC_RELAXED);
	return shard->filter.exits.n;
}

void ms_engine_read_progress(const struct ms_engine *engine, struct ms_engine_progress *progress)
{
	*progress = (struct ms_engine_progress){ 0, 0 };
	for (unsigned i = 0; i < engine->shards; i++) {
		const struct ms_engine_shard *shard = &engine->shard[i];

		progress->references +=
			__atomic_load_n(&shard->filter.references, __ATOMIC_RELAXED);
		progress->misses += __atomic_load_n(&shard->caches.misses, __ATOMIC_RELAXED);
	}
}

uint64_t ms_engine_count_exits(const struct ms_engine *engine, uint32_t processor, uint32_t block,
			       uint32_t exit, double *weighted)
{
	return engine->variant->counts->count_exits(engine, processor, block, exit, weighted);
}
