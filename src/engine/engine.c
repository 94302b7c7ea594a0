/*
 * engine/engine.c - opens and closes the engine and its shards, and forwards the program's events
 * to the address map.
 */
#include "engine/engine.h"

#include <assert.h>
#include <string.h>

#include "engine/engine_priv.h"
#include "engine/filter/loop_filter.h"
#include "engine/pmu/pmu.h"
#include "engine/windows/windows.h"

enum { MAX_GROUPS = 4096 };

/*
 * A filter resets all its sets before another shard filters. With more sets than this, that costs
 * too much, and only one shard filters.
 */
enum { MAX_RESET_SETS = 4096 };

static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * A set of level i repeats every sets * line bytes. The largest power of two that divides this
 * period for every level, in units of the largest line, is the number of groups of sets that no
 * level mixes. Adjacent groups belong to one shard, so that few references touch lines of two
 * shards.
 */
struct ms_engine_windows_sets ms_engine_find_set_groups(const struct ms_machine *machine)
{
	uint32_t line = 1;
	uint64_t period = 0;

	for (size_t i = 0; i < machine->levels.n; i++) {
		const struct ms_machine_level *level = &machine->levels.at[i];

		if (level->line > line)
			line = level->line;
		period = gcd(ms_machine_sets(level) * level->line, period);
	}
	uint64_t groups = period / line;
	groups = period % line != 0 || groups == 0 ? 1 : groups & -groups;
	return (struct ms_engine_windows_sets){ (uint32_t)__builtin_ctz(line), groups - 1, 1, NULL,
						false };
}

static void divide_sets(struct ms_engine *engine, const struct ms_machine *machine)
{
	struct ms_engine_windows_sets all = ms_engine_find_set_groups(machine);
	uint64_t groups = all.mask + 1;

	if (ms_caches_needs_one_shard(machine) || engine->monitor != NULL ||
	    engine->windows != NULL)
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

static void open_levels(struct ms_engine_shard *shard, const struct ms_machine *machine)
{
	const struct ms_machine_level *first = &machine->levels.at[0];

	for (unsigned i = 1; i < shard->levels; i++)
		ms_caches_open_lru(&shard->caches.level[i], &machine->levels.at[i], first);
}

static void close_levels(struct ms_engine_shard *shard)
{
	if (shard->configurable != NULL)
		return;
	for (unsigned i = 1; i < shard->levels; i++)
		ms_caches_close_lru(&shard->caches.level[i]);
}

static void open_shard(struct ms_engine_shard *shard, struct ms_engine *engine, unsigned number,
		       const struct ms_machine *machine, const struct ms_engine_fallback_data *data)
{
	*shard = (struct ms_engine_shard){
		.engine = engine,
		.number = number,
		.levels = (unsigned)machine->levels.n,
		.caches = { .level = ms_alloc(machine->levels.n * sizeof(*shard->caches.level)),
			    .splits =
				    ms_alloc(engine->batch_count * sizeof(*shard->caches.splits)) },
	};
	ms_caches_open_lru(&shard->caches.first, &machine->levels.at[0], &machine->levels.at[0]);
	shard->filter.recent =
		ms_alloc(shard->caches.first.set_count * sizeof(*shard->filter.recent));
	shard->first_shift = shard->caches.first.line_shift;
	shard->filter.unbound =
		ms_alloc(MS_FILTER_UNBOUND_CAPACITY * sizeof(*shard->filter.unbound));
	ms_engine_reset_filter(shard);
	if (ms_caches_needs_configurable(machine) || engine->monitor != NULL)
		shard->configurable = ms_caches_open_configurable(machine, &shard->caches.lines);
	else
		open_levels(shard, machine);
	shard->filter.loop_impl = ms_filter_choose_loop_impl();
	shard->filter.keeps_all =
		shard->configurable != NULL && !shard->configurable->repeats_are_hits;
	if (engine->monitor != NULL) {
		shard->configurable->monitor = engine->monitor;
		shard->filter.keeps_all = true; /* the handler can run between any two references */
	}
	ms_engine_windows_set_stratum(shard, 0, MS_ENGINE_WINDOWS_PARTS);
	ms_address_map_open(&shard->address_map, data);
	ms_count_open_bins(&shard->cells, engine->shards, 0, engine->windows != NULL);
	ms_engine_windows_open_filter(shard);
	ms_caches_open_records(&shard->caches.lines, shard->levels);
	ms_count_open_misses(&shard->counts.miss_counters, shard->levels, machine->processors > 1);
	ms_count_open_line_changes(&shard->counts.line_changes, shard->levels, engine->batch_count);
	if (machine->processors > 1) {
		shard->processors = ms_coherence_open_processors(shard, machine);
		ms_coherence_reset_filters(shard);
	}
}

/* The filters of several processors have so little state that any shard can filter. */
static void open_processors(struct ms_engine *engine, const struct ms_machine *machine)
{
	engine->filtering_shards = engine->shards;
	engine->coherence.batches =
		ms_alloc(engine->batch_count * sizeof(*engine->coherence.batches));
	ms_count_open_threads(&engine->coherence.threads, (unsigned)machine->levels.n);
	ms_address_map_open_numa(&engine->coherence.placement, machine);
}

static struct ms_engine *open_engine(const struct ms_machine *machine, unsigned shards,
				     unsigned batch_count,
				     const struct ms_engine_fallback_data *data,
				     const struct ms_pmu_config *pmu,
				     struct ms_engine_windows_state *windows)
{
	struct ms_engine *engine = ms_alloc(sizeof(*engine));

	engine->shards = shards < 1 ? 1 : shards > UINT8_MAX ? UINT8_MAX : shards;
	engine->batch_count = batch_count < 1 ? 1 : batch_count;
	engine->windows = windows;
	if (pmu != NULL)
		engine->monitor = ms_pmu_open(machine, pmu, engine->shards, engine->batch_count);
	divide_sets(engine, machine);
	engine->filtering_shards =
		ms_machine_sets(&machine->levels.at[0]) <= MAX_RESET_SETS ? engine->shards : 1;
	engine->batch = ms_alloc(engine->batch_count * sizeof(*engine->batch));
	for (unsigned i = 0; i < engine->batch_count; i++) {
		engine->batch[i].shares =
			ms_pages_alloc(engine->shards * sizeof(*engine->batch[i].shares));
		engine->batch[i].pairs = ms_alloc(engine->shards * sizeof(*engine->batch[i].pairs));
	}
	ms_count_open_pair_sums(&engine->counts.pairs);
	engine->counts.epoch = MS_ENGINE_PAIR_EPOCH;
	ms_count_open_misses(&engine->counts.finished, (unsigned)machine->levels.n,
			     machine->processors > 1);
	ms_count_open_occupancy(&engine->counts.occupancy, (unsigned)machine->levels.n);
	if (machine->processors > 1)
		open_processors(engine, machine);
	engine->shard = ms_pages_alloc(engine->shards * sizeof(*engine->shard));
	for (unsigned i = 0; i < engine->shards; i++)
		open_shard(&engine->shard[i], engine, i, machine, data);
	if (pmu != NULL)
		ms_pmu_attach_shard(engine->monitor, &engine->shard[0]);
	return engine;
}

struct ms_engine *ms_engine_open(const struct ms_machine *machine, unsigned shards,
				 unsigned batch_count, const struct ms_engine_fallback_data *data)
{
	return open_engine(machine, shards, batch_count, data, NULL, NULL);
}

struct ms_engine *ms_engine_open_windows(const struct ms_machine *machine, unsigned shards,
					 unsigned batch_count,
					 const struct ms_engine_fallback_data *data,
					 const struct ms_engine_windows_sets *sets)
{
	assert(ms_engine_windows_supports(machine));
	return open_engine(
		machine, shards, batch_count, data, NULL,
		ms_engine_windows_open(machine, sets, batch_count < 1 ? 1 : batch_count));
}

struct ms_engine *ms_engine_open_pmu(const struct ms_machine *machine, unsigned shards,
				     unsigned batch_count,
				     const struct ms_engine_fallback_data *data,
				     const struct ms_pmu_config *pmu)
{
	assert(machine->processors <= 1);
	return open_engine(machine, shards, batch_count, data, pmu, NULL);
}

struct ms_count_misses *ms_engine_add_miss_counters(struct ms_engine_shard *shard,
						    const struct ms_count_bin *cell)
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
	assert(engine->windows == NULL);
	for (unsigned i = 0; i < engine->shards; i++) {
		engine->shard[i].filter.misses_only = true;
		engine->shard[i].filter.hits = hits;
	}
}

static void close_shard(struct ms_engine_shard *shard)
{
	close_levels(shard);
	ms_caches_close_lru(&shard->caches.first);
	ms_free(shard->filter.recent);
	ms_free(shard->filter.unbound);
	ms_filter_free_pending(&shard->filter.pending);
	ms_vec_free(&shard->caches.missed_lines);
	for (unsigned i = 0; i < shard->engine->batch_count; i++)
		ms_vec_free(&shard->caches.splits[i].at);
	ms_free(shard->caches.level);
	ms_caches_close_configurable(shard->configurable);
	ms_coherence_close_processors(shard->processors, shard->engine->batch_count);
	ms_free(shard->caches.splits);
	ms_address_map_close(&shard->address_map);
	ms_count_close_bins(&shard->cells);
	ms_caches_close_records(&shard->caches.lines);
	ms_count_close_misses(&shard->counts.miss_counters);
	ms_count_close_line_changes(&shard->counts.line_changes, shard->engine->batch_count);
	ms_vec_free(&shard->phase_references.counts.at);
	ms_vec_free(&shard->counts.phases.at);
	ms_vec_free(&shard->filter.blocks);
	ms_vec_free(&shard->filter.exits);
	ms_vec_free(&shard->pmu.exit_times);
	ms_pmu_free_marks(&shard->pmu.marks);
	ms_engine_windows_free_filter(&shard->windows);
	ms_arena_free(&shard->filter.arena);
}

void ms_engine_end_simulation(struct ms_engine *engine)
{
	if (engine->windows != NULL || engine->coherence.batches != NULL)
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
		}
		ms_free(engine->batch[i].pairs);
		ms_pages_free(engine->batch[i].shares,
			      engine->shards * sizeof(*engine->batch[i].shares));
	}
	for (unsigned i = 0; engine->coherence.batches != NULL && i < engine->batch_count; i++) {
		ms_free(engine->coherence.batches[i].at);
		ms_vec_free(&engine->coherence.batches[i].slices);
	}
	ms_count_close_threads(&engine->coherence.threads);
	ms_address_map_close_numa(&engine->coherence.placement);
	ms_free(engine->coherence.batches);
	ms_count_close_misses(&engine->counts.finished);
	ms_count_close_pair_sums(&engine->counts.pairs);
	ms_count_close_occupancy(&engine->counts.occupancy);
	ms_pmu_close(engine->monitor);
	ms_engine_windows_close(engine->windows);
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

/* The monitor's handler has a map of the program's memory, which must follow every change. */
static void record_map_change(struct ms_engine_shard *shard, enum ms_pmu_change_kind kind,
			      uint64_t start, uint64_t end)
{
	if (MS_UNLIKELY(shard->engine->monitor != NULL))
		ms_pmu_record_change(shard, kind, start, end);
}

size_t ms_engine_filter_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n)
{
	if (shard->processors != NULL) {
		shard->windows.words += n;
		return ms_coherence_filter_executions(shard, words, n);
	}
	if (shard->engine->windows != NULL)
		ms_engine_windows_mark_batch(shard, n);
	if (shard->engine->monitor != NULL)
		return ms_pmu_filter_executions(shard, words, n);
	return ms_filter_process_executions(shard, words, n);
}

void ms_engine_add_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data)
{
	record_map_change(shard, MS_PMU_CHANGE_ADD, start, start + size);
	ms_address_map_add_object(&shard->address_map, start, size, data);
}

bool ms_engine_free_object(struct ms_engine_shard *shard, uint64_t start,
			   struct ms_engine_range *was)
{
	bool found = ms_address_map_free_object(&shard->address_map, start, was);

	if (found)
		record_map_change(shard, MS_PMU_CHANGE_REMOVE, start, start);
	return found;
}

bool ms_engine_add_short_lived(struct ms_engine_shard *shard, uint64_t start, uint64_t size)
{
	return ms_address_map_add_short_lived(&shard->address_map, start, size);
}

bool ms_engine_allows_short_lived(const struct ms_engine_shard *shard)
{
	return shard->engine->monitor == NULL && shard->address_map.outer_objects.n == 0;
}

void ms_engine_prefetch_object(const struct ms_engine_shard *shard, uint64_t start)
{
	__builtin_prefetch(ms_address_map_find_entry(&shard->address_map, start), 1);
}

void ms_engine_prefetch_object_range(const struct ms_engine_shard *shard, uint64_t start)
{
	uint32_t index = *ms_address_map_find_entry(&shard->address_map, start);

	if (index > MS_ADDRESS_MAP_FREED)
		__builtin_prefetch(ms_address_map_get_range(&shard->address_map, index), 1);
}

void ms_engine_add_nested_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
				 uint32_t data)
{
	record_map_change(shard, MS_PMU_CHANGE_OVERLAY, start, start + size);
	ms_address_map_add_nested(&shard->address_map, start, size, data);
}

bool ms_engine_free_nested_object(struct ms_engine_shard *shard, uint64_t start,
				  struct ms_engine_range *was)
{
	bool found = ms_address_map_free_nested(&shard->address_map, start, was);

	if (found)
		record_map_change(shard, MS_PMU_CHANGE_REMOVE, start, start);
	return found;
}

void ms_engine_name_range(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data)
{
	ms_address_map_name_range(&shard->address_map, start, size, data);
}

void ms_engine_unname_range(struct ms_engine_shard *shard, uint64_t start)
{
	ms_address_map_unname_range(&shard->address_map, start);
}

uint64_t ms_engine_take_lost_bytes(struct ms_engine_shard *shard, uint32_t data)
{
	return ms_address_map_take_lost_bytes(&shard->address_map, data);
}

uint32_t ms_engine_find_data(struct ms_engine_shard *shard, uint64_t address)
{
	struct ms_address_map_range *range;

	return ms_address_map_find_data(&shard->address_map, address, &range);
}

void ms_engine_set_freed_data(struct ms_engine_shard *shard, uint32_t data)
{
	/* No ref_state refers to freed memory, so all look it up again. */
	shard->address_map.fallback.freed = data;
}

void ms_engine_map_region(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			  uint32_t data, bool exact)
{
	if (start < end)
		record_map_change(shard, MS_PMU_CHANGE_OVERLAY, start, end);
	ms_address_map_map_region(&shard->address_map, start, end, data, exact);
}

void ms_engine_unmap_range(struct ms_engine_shard *shard, uint64_t start, uint64_t end)
{
	record_map_change(shard, MS_PMU_CHANGE_CLEAR, start, end);
	ms_address_map_unmap_range(&shard->address_map, start, end);
	ms_coherence_unmap_pages(shard, start, end);
}

void ms_engine_add_module(struct ms_engine_shard *shard, uint32_t module,
			  const struct ms_engine_range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		record_map_change(shard, MS_PMU_CHANGE_OVERLAY, ranges[i].start, ranges[i].end);
	ms_address_map_add_module(&shard->address_map, module, ranges, n);
}

void ms_engine_remove_module(struct ms_engine_shard *shard, uint32_t module)
{
	for (size_t i = 0; i < shard->address_map.modules.n; i++) {
		const struct ms_address_map_module *m = &shard->address_map.modules.at[i];

		if (m->module == module)
			record_map_change(shard, MS_PMU_CHANGE_CLEAR, m->start, m->end);
	}
	ms_address_map_remove_module(&shard->address_map, module);
}

size_t ms_engine_update_progress(struct ms_engine_shard *shard)
{
	uint64_t references = 0;

	for (size_t i = 0; i < shard->filter.exits.n; i++)
		references += shard->filter.exits.at[i].count * shard->filter.exits.at[i].refs;
	if (shard->processors != NULL)
		references = shard->processors->references;
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
	uint64_t count = 0, parts = 0, more;

	for (unsigned i = 0; i < engine->shards; i++) {
		const struct ms_engine_shard *shard = &engine->shard[i];

		if (shard->processors != NULL) {
			count += ms_coherence_count_exits(shard->processors, processor, block, exit,
							  &more);
			parts += more;
		} else if (processor == 0 && block < shard->filter.blocks.n) { /* else malformed */
			count += shard->filter.exits
					 .at[shard->filter.blocks.at[block].first_exit + exit]
					 .count;
		}
	}
	*weighted = engine->coherence.batches != NULL ? (double)parts / MS_COUNT_WEIGHT_UNIT
						      : (double)count;
	return count;
}
