/* engine/engine.c - opening and closing, shards, and what the rest of memspy tells them. */
#include "engine/engine.h"

#include <assert.h>
#include <string.h>

#include "engine/engine_priv.h"
#include "engine/loop.h"
#include "engine/pmu.h"
#include "engine/windows.h"

enum { MOST_GROUPS = 4096 };

/* A sieve forgets all its sets at the end of each turn. */
enum { MOST_FORGOTTEN = 4096 };

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
 * A set of level i is met again every sets * line bytes. So the largest power of two that divides
 * that period for every level, in lines of the largest size, is how many groups of sets there are
 * that no level mixes. Neighbouring groups go to one shard, so that few references cross shards.
 */
struct ms_sampled_sets ms_engine_set_groups(const struct ms_machine *machine)
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
	return (struct ms_sampled_sets){ (uint32_t)__builtin_ctz(line), groups - 1, 1, NULL,
					 false };
}

static void divide(struct ms_engine *engine, const struct ms_machine *machine)
{
	struct ms_sampled_sets all = ms_engine_set_groups(machine);
	uint64_t groups = all.mask + 1;

	if (ms_general_is_one_piece(machine) || engine->monitor != NULL || engine->windows != NULL)
		groups = 1;
	engine->group_shift = all.shift;
	if (groups > MOST_GROUPS) {
		engine->group_shift += (uint32_t)__builtin_ctzll(groups / MOST_GROUPS);
		groups = MOST_GROUPS;
	}
	engine->group_mask = groups - 1;
	engine->owner = ms_alloc(groups);
	for (uint64_t g = 0; g < groups; g++)
		engine->owner[g] = (uint8_t)(g * engine->shards / groups);
}

static void open_levels(struct ms_shard *shard, const struct ms_machine *machine)
{
	const struct ms_machine_level *first = &machine->levels.at[0];

	for (unsigned i = 1; i < shard->levels; i++)
		ms_cache_open(&shard->cache[i], &machine->levels.at[i], first);
}

static void close_levels(struct ms_shard *shard)
{
	if (shard->general != NULL)
		return;
	for (unsigned i = 1; i < shard->levels; i++)
		ms_cache_close(&shard->cache[i]);
}

static void open_shard(struct ms_shard *shard, struct ms_engine *engine, unsigned number,
		       const struct ms_machine *machine, const struct ms_engine_data *data)
{
	*shard = (struct ms_shard){
		.engine = engine,
		.number = number,
		.levels = (unsigned)machine->levels.n,
		.cache = ms_alloc(machine->levels.n * sizeof(*shard->cache)),
		.splits = ms_alloc(engine->slots * sizeof(*shard->splits)),
	};
	ms_cache_open(&shard->first, &machine->levels.at[0], &machine->levels.at[0]);
	shard->recent = ms_alloc(shard->first.set_count * sizeof(*shard->recent));
	shard->first_shift = shard->first.line_shift;
	shard->unbound = ms_alloc(MS_ROOM_UNBOUND * sizeof(*shard->unbound));
	ms_shard_forget(shard);
	if (ms_general_is_needed(machine) || engine->monitor != NULL)
		shard->general = ms_general_open(machine, &shard->lines);
	else
		open_levels(shard, machine);
	shard->loop_way = ms_loop_choose();
	shard->keeps_all = shard->general != NULL && !shard->general->repeats_are_hits;
	if (engine->monitor != NULL) {
		shard->general->monitor = engine->monitor;
		shard->keeps_all = true; /* the handler may come between any two references */
	}
	ms_shard_stratum(shard, 0, MS_SAMPLE_PARTS);
	ms_places_open(&shard->places, data);
	ms_cells_open(&shard->cells, engine->shards, 0, engine->windows != NULL);
	ms_windows_open_sieve(shard);
	ms_lines_open(&shard->lines, shard->levels);
	ms_tallies_open(&shard->tallies, shard->levels, machine->processors > 1);
	ms_movements_open(&shard->movements, shard->levels, engine->slots);
	if (machine->processors > 1) {
		shard->processors = ms_processors_open(shard, machine);
		ms_processors_forget(shard);
	}
}

/* Their sieves know so little that any shard may sift. */
static void open_processors(struct ms_engine *engine, const struct ms_machine *machine)
{
	engine->sifters = engine->shards;
	engine->met = ms_alloc(engine->slots * sizeof(*engine->met));
	ms_threads_open(&engine->threads, (unsigned)machine->levels.n);
	ms_placement_open(&engine->placement, machine);
}

static struct ms_engine *open_engine(const struct ms_machine *machine, unsigned shards,
				     unsigned slots, const struct ms_engine_data *data,
				     const struct ms_pmu *pmu, struct windows *windows)
{
	struct ms_engine *engine = ms_alloc(sizeof(*engine));

	engine->shards = shards < 1 ? 1 : shards > UINT8_MAX ? UINT8_MAX : shards;
	engine->slots = slots < 1 ? 1 : slots;
	engine->windows = windows;
	if (pmu != NULL)
		engine->monitor = ms_monitor_open(machine, pmu, engine->shards);
	divide(engine, machine);
	engine->sifters =
		ms_machine_sets(&machine->levels.at[0]) <= MOST_FORGOTTEN ? engine->shards : 1;
	engine->batch = ms_alloc(engine->slots * sizeof(*engine->batch));
	for (unsigned i = 0; i < engine->slots; i++) {
		engine->batch[i].shares =
			ms_pages_alloc(engine->shards * sizeof(*engine->batch[i].shares));
		engine->batch[i].pairs = ms_alloc(engine->shards * sizeof(*engine->batch[i].pairs));
	}
	ms_pairs_open(&engine->pairs);
	engine->epoch = MS_PAIR_EPOCH;
	ms_tallies_open(&engine->finished, (unsigned)machine->levels.n, machine->processors > 1);
	ms_occupancy_open(&engine->occupancy, (unsigned)machine->levels.n);
	if (machine->processors > 1)
		open_processors(engine, machine);
	engine->shard = ms_pages_alloc(engine->shards * sizeof(*engine->shard));
	for (unsigned i = 0; i < engine->shards; i++)
		open_shard(&engine->shard[i], engine, i, machine, data);
	if (pmu != NULL)
		ms_monitor_watch(engine->monitor, &engine->shard[0]);
	return engine;
}

struct ms_engine *ms_engine_open(const struct ms_machine *machine, unsigned shards, unsigned slots,
				 const struct ms_engine_data *data)
{
	return open_engine(machine, shards, slots, data, NULL, NULL);
}

struct ms_engine *ms_engine_open_sampled(const struct ms_machine *machine, unsigned shards,
					 unsigned slots, const struct ms_engine_data *data,
					 const struct ms_sampled_sets *sets)
{
	assert(ms_engine_can_sample(machine));
	return open_engine(machine, shards, slots, data, NULL, ms_windows_open(machine, sets));
}

struct ms_engine *ms_engine_open_monitored(const struct ms_machine *machine, unsigned shards,
					   unsigned slots, const struct ms_engine_data *data,
					   const struct ms_pmu *pmu)
{
	assert(machine->processors <= 1);
	return open_engine(machine, shards, slots, data, pmu, NULL);
}

struct tally *ms_shard_add_tally(struct ms_shard *shard, const struct cell *cell)
{
	struct tally *tally =
		ms_tallies_add(&shard->tallies, cell->site, cell->data, cell->processor);

	tally->crosses = cell->crosses;
	return tally;
}

void ms_engine_limit_pairs(struct ms_engine *engine, const struct ms_pair_limit *limit)
{
	engine->pairs.limit = limit->pairs;
	engine->pairs.other_data = limit->other_data;
	engine->epoch = limit->batches > 0 ? limit->batches : MS_PAIR_EPOCH;
}

void ms_engine_skip_hits(struct ms_engine *engine, uint32_t hits)
{
	assert(engine->windows == NULL);
	for (unsigned i = 0; i < engine->shards; i++) {
		engine->shard[i].misses_only = true;
		engine->shard[i].hits = hits;
	}
}

static void close_shard(struct ms_shard *shard)
{
	close_levels(shard);
	ms_cache_close(&shard->first);
	ms_free(shard->recent);
	ms_free(shard->unbound);
	ms_doubts_free(&shard->doubts);
	ms_vec_free(&shard->falling);
	for (unsigned i = 0; i < shard->engine->slots; i++)
		ms_vec_free(&shard->splits[i].at);
	ms_free(shard->cache);
	ms_general_close(shard->general);
	ms_processors_close(shard->processors, shard->engine->slots);
	ms_free(shard->splits);
	ms_places_close(&shard->places);
	ms_cells_close(&shard->cells);
	ms_lines_close(&shard->lines);
	ms_tallies_close(&shard->tallies);
	ms_movements_close(&shard->movements, shard->engine->slots);
	ms_vec_free(&shard->sifted.at);
	ms_vec_free(&shard->phases.at);
	ms_vec_free(&shard->blocks);
	ms_vec_free(&shard->exits);
	ms_vec_free(&shard->exit_times);
	ms_window_sieve_free(&shard->windows);
	ms_arena_free(&shard->arena);
}

void ms_engine_end_simulation(struct ms_engine *engine)
{
	if (engine->windows != NULL || engine->met != NULL)
		return;
	for (unsigned i = 0; i < engine->shards; i++)
		ms_lines_close(&engine->shard[i].lines);
}

void ms_engine_release_counters(struct ms_engine *engine)
{
	for (unsigned i = 0; i < engine->shards; i++) {
		ms_tallies_close(&engine->shard[i].tallies);
		ms_lines_close(&engine->shard[i].lines);
	}
	ms_tallies_close(&engine->finished);
	ms_pairs_close(&engine->pairs);
}

void ms_engine_close(struct ms_engine *engine)
{
	if (engine == NULL)
		return;
	for (unsigned i = 0; i < engine->shards; i++)
		close_shard(&engine->shard[i]);
	for (unsigned i = 0; i < engine->slots; i++) {
		for (unsigned k = 0; k < engine->shards; k++) {
			ms_doubts_free(&engine->batch[i].shares[k]);
			ms_vec_free(&engine->batch[i].pairs[k].at);
		}
		ms_free(engine->batch[i].pairs);
		ms_pages_free(engine->batch[i].shares,
			      engine->shards * sizeof(*engine->batch[i].shares));
	}
	for (unsigned i = 0; engine->met != NULL && i < engine->slots; i++) {
		ms_free(engine->met[i].at);
		ms_vec_free(&engine->met[i].marks);
	}
	ms_threads_close(&engine->threads);
	ms_placement_close(&engine->placement);
	ms_free(engine->met);
	ms_tallies_close(&engine->finished);
	ms_pairs_close(&engine->pairs);
	ms_occupancy_close(&engine->occupancy);
	ms_monitor_close(engine->monitor);
	ms_windows_close(engine->windows);
	ms_free(engine->batch);
	ms_pages_free(engine->shard, engine->shards * sizeof(*engine->shard));
	ms_vec_free(&engine->finished_phases.at);
	ms_free(engine->owner);
	ms_free(engine);
}

unsigned ms_engine_sifters(const struct ms_engine *engine)
{
	return engine->sifters;
}

struct ms_shard *ms_engine_shard(struct ms_engine *engine, unsigned i)
{
	return &engine->shard[i];
}

/* A monitor's handler has a map of the program's memory, which follows it. */
static void changed(struct ms_shard *shard, enum change_kind kind, uint64_t start, uint64_t end)
{
	if (MS_UNLIKELY(shard->engine->monitor != NULL))
		ms_monitor_change(shard, kind, start, end);
}

size_t ms_shard_sift(struct ms_shard *shard, const uint64_t *words, size_t n)
{
	if (shard->processors != NULL) {
		shard->windows.words += n;
		return ms_processors_sift(shard, words, n);
	}
	if (shard->engine->windows != NULL)
		ms_windows_mark(shard, n);
	if (shard->engine->monitor != NULL)
		return ms_monitor_sift(shard, words, n);
	return ms_sieve_sift(shard, words, n);
}

void ms_shard_place(struct ms_shard *shard, uint64_t start, uint64_t size, uint32_t data)
{
	changed(shard, CHANGE_ADD, start, start + size);
	ms_places_add_heap(&shard->places, start, size, data);
}

bool ms_shard_free(struct ms_shard *shard, uint64_t start, struct ms_place *was)
{
	bool found = ms_places_free_heap(&shard->places, start, was);

	if (found)
		changed(shard, CHANGE_REMOVE, start, start);
	return found;
}

bool ms_shard_pass(struct ms_shard *shard, uint64_t start, uint64_t size)
{
	return ms_places_pass(&shard->places, start, size);
}

bool ms_shard_may_pass(const struct ms_shard *shard)
{
	return shard->engine->monitor == NULL && shard->places.holed.n == 0;
}

void ms_shard_expect(const struct ms_shard *shard, uint64_t start)
{
	__builtin_prefetch(ms_places_where(&shard->places, start), 1);
}

void ms_shard_expect_more(const struct ms_shard *shard, uint64_t start)
{
	uint32_t index = *ms_places_where(&shard->places, start);

	if (index > MS_PLACE_FREED)
		__builtin_prefetch(ms_place_of(&shard->places, index), 1);
}

void ms_shard_place_inner(struct ms_shard *shard, uint64_t start, uint64_t size, uint32_t data)
{
	changed(shard, CHANGE_LAY, start, start + size);
	ms_places_add_inner(&shard->places, start, size, data);
}

bool ms_shard_free_inner(struct ms_shard *shard, uint64_t start, struct ms_place *was)
{
	bool found = ms_places_free_inner(&shard->places, start, was);

	if (found)
		changed(shard, CHANGE_REMOVE, start, start);
	return found;
}

void ms_shard_name(struct ms_shard *shard, uint64_t start, uint64_t size, uint32_t data)
{
	ms_places_name(&shard->places, start, size, data);
}

void ms_shard_unname(struct ms_shard *shard, uint64_t start)
{
	ms_places_unname(&shard->places, start);
}

uint64_t ms_shard_lost(struct ms_shard *shard, uint32_t data)
{
	return ms_places_lost(&shard->places, data);
}

uint32_t ms_shard_data_at(struct ms_shard *shard, uint64_t address)
{
	struct place *place;

	return ms_places_find(&shard->places, address, &place);
}

void ms_shard_set_freed(struct ms_shard *shard, uint32_t data)
{
	/* No slot remembers freed memory, so all ask again. */
	shard->places.special.freed = data;
}

void ms_shard_map(struct ms_shard *shard, uint64_t start, uint64_t end, uint32_t data, bool exact)
{
	if (start < end)
		changed(shard, CHANGE_LAY, start, end);
	ms_places_map(&shard->places, start, end, data, exact);
}

void ms_shard_unmap(struct ms_shard *shard, uint64_t start, uint64_t end)
{
	changed(shard, CHANGE_CLEAR, start, end);
	ms_places_unmap(&shard->places, start, end);
	ms_processors_unmap(shard, start, end);
}

void ms_shard_add_module(struct ms_shard *shard, uint32_t module, const struct ms_place *places,
			 size_t n)
{
	for (size_t i = 0; i < n; i++)
		changed(shard, CHANGE_LAY, places[i].start, places[i].end);
	ms_places_add_module(&shard->places, module, places, n);
}

void ms_shard_remove_module(struct ms_shard *shard, uint32_t module)
{
	for (size_t i = 0; i < shard->places.modules.n; i++) {
		const struct module_places *m = &shard->places.modules.at[i];

		if (m->module == module)
			changed(shard, CHANGE_CLEAR, m->start, m->end);
	}
	ms_places_remove_module(&shard->places, module);
}

size_t ms_shard_tell(struct ms_shard *shard)
{
	uint64_t references = 0;

	for (size_t i = 0; i < shard->exits.n; i++)
		references += shard->exits.at[i].count * shard->exits.at[i].refs;
	if (shard->processors != NULL)
		references = shard->processors->references;
	__atomic_store_n(&shard->references, references, __ATOMIC_RELAXED);
	return shard->exits.n;
}

void ms_engine_progress(const struct ms_engine *engine, struct ms_engine_progress *progress)
{
	*progress = (struct ms_engine_progress){ 0, 0 };
	for (unsigned i = 0; i < engine->shards; i++) {
		const struct ms_shard *shard = &engine->shard[i];

		progress->references += __atomic_load_n(&shard->references, __ATOMIC_RELAXED);
		progress->misses += __atomic_load_n(&shard->misses, __ATOMIC_RELAXED);
	}
}

uint64_t ms_engine_exit_count(const struct ms_engine *engine, uint32_t processor, uint32_t block,
			      uint32_t exit, double *weighted)
{
	uint64_t count = 0, parts = 0, more;

	for (unsigned i = 0; i < engine->shards; i++) {
		const struct ms_shard *shard = &engine->shard[i];

		if (shard->processors != NULL) {
			count += ms_processors_exit_count(shard->processors, processor, block, exit,
							  &more);
			parts += more;
		} else if (processor == 0 && block < shard->blocks.n) { /* or the stream broke */
			count += shard->exits.at[shard->blocks.at[block].first_exit + exit].count;
		}
	}
	*weighted = engine->met != NULL ? (double)parts / MS_WEIGHT : (double)count;
	return count;
}
