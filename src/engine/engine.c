/* engine/engine.c - opening and closing, shards, and what the rest of memspy tells them. */
#include "engine/engine.h"

#include <string.h>

#include "engine/engine_priv.h"

enum { MOST_GROUPS = 4096 };

/* No line has this number: see reference() in feed.c. */
static const uint64_t no_line = MS_LINE_NONE;

void ms_shard_forget_recent(struct ms_shard *shard)
{
	shard->recent = &no_line;
	shard->recent_mask = 0;
}

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
static void divide(struct ms_engine *engine, const struct ms_machine *machine)
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
	if (ms_general_is_one_piece(machine))
		groups = 1;

	engine->group_shift = (uint32_t)__builtin_ctz(line);
	if (groups > MOST_GROUPS) {
		engine->group_shift += (uint32_t)__builtin_ctzll(groups / MOST_GROUPS);
		groups = MOST_GROUPS;
	}
	engine->group_mask = groups - 1;
	engine->owner = ms_alloc(groups);
	for (uint64_t g = 0; g < groups; g++)
		engine->owner[g] = (uint8_t)(g * engine->shards / groups);
}

static void open_shard(struct ms_shard *shard, struct ms_engine *engine, unsigned number,
		       const struct ms_machine *machine, const struct ms_engine_data *data)
{
	*shard = (struct ms_shard){
		.engine = engine,
		.number = number,
		.levels = (unsigned)machine->levels.n,
		.uniform = true,
		.cache = ms_alloc(machine->levels.n * sizeof(*shard->cache)),
		.old = ms_alloc(2 * machine->levels.n * sizeof(*shard->old)),
		.old_line = ms_alloc(machine->levels.n * sizeof(*shard->old_line)),
		.splits = ms_alloc(engine->slots * sizeof(*shard->splits)),
	};
	if (ms_general_is_needed(machine))
		shard->general = ms_general_open(machine);
	for (unsigned i = 0; i < (shard->general == NULL ? shard->levels : 1); i++) {
		ms_cache_open(&shard->cache[i], &machine->levels.at[i], &machine->levels.at[0]);
		if (shard->cache[i].up != 0)
			shard->uniform = false;
	}
	shard->first_shift = shard->cache[0].line_shift;
	shard->recent = shard->cache[0].recent;
	shard->recent_mask = shard->cache[0].mask;
	/* A store that goes on is no hit that changes nothing. */
	if (shard->cache[0].mask == 0 || machine->levels.at[0].write == MS_WRITE_THROUGH)
		ms_shard_forget_recent(shard);
	ms_places_open(&shard->places, data);
	ms_lines_open(&shard->lines, shard->levels);
	ms_cells_open(&shard->cells, shard->levels);
}

struct ms_engine *ms_engine_open(const struct ms_machine *machine, unsigned shards, unsigned slots,
				 const struct ms_engine_data *data)
{
	struct ms_engine *engine = ms_alloc(sizeof(*engine));

	engine->shards = shards < 1 ? 1 : shards > UINT8_MAX ? UINT8_MAX : shards;
	engine->slots = slots < 1 ? 1 : slots;
	divide(engine, machine);
	ms_cells_open(&engine->settled, (unsigned)machine->levels.n);
	engine->shard = ms_alloc(engine->shards * sizeof(*engine->shard));
	for (unsigned i = 0; i < engine->shards; i++)
		open_shard(&engine->shard[i], engine, i, machine, data);
	return engine;
}

static void close_shard(struct ms_shard *shard)
{
	for (unsigned i = 0; i < shard->levels; i++)
		ms_cache_close(&shard->cache[i]);
	for (unsigned i = 0; i < shard->engine->slots; i++)
		ms_vec_free(&shard->splits[i].at);
	ms_free(shard->cache);
	ms_general_close(shard->general);
	ms_free(shard->old);
	ms_free(shard->old_line);
	ms_free(shard->splits);
	ms_places_close(&shard->places);
	ms_lines_close(&shard->lines);
	ms_cells_close(&shard->cells);
	ms_vec_free(&shard->phases.at);
	ms_vec_free(&shard->phase_before.at);
	ms_vec_free(&shard->blocks);
	ms_vec_free(&shard->exits);
	ms_arena_free(&shard->arena);
}

void ms_engine_close(struct ms_engine *engine)
{
	if (engine == NULL)
		return;
	for (unsigned i = 0; i < engine->shards; i++)
		close_shard(&engine->shard[i]);
	ms_cells_close(&engine->settled);
	ms_vec_free(&engine->settled_phases.at);
	ms_free(engine->shard);
	ms_free(engine->owner);
	ms_free(engine);
}

struct ms_shard *ms_engine_shard(struct ms_engine *engine, unsigned i)
{
	return &engine->shard[i];
}

void ms_shard_place(struct ms_shard *shard, uint64_t start, uint64_t size, uint32_t data)
{
	ms_places_add_heap(&shard->places, start, size, data);
}

bool ms_shard_free(struct ms_shard *shard, uint64_t start, struct ms_place *was)
{
	return ms_places_free_heap(&shard->places, start, was);
}

void ms_shard_place_inner(struct ms_shard *shard, uint64_t start, uint64_t size, uint32_t data)
{
	ms_places_add_inner(&shard->places, start, size, data);
}

bool ms_shard_free_inner(struct ms_shard *shard, uint64_t start, struct ms_place *was)
{
	return ms_places_free_inner(&shard->places, start, was);
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

void ms_shard_set_freed(struct ms_shard *shard, uint32_t data)
{
	/* No slot remembers freed memory, so all ask again. */
	shard->places.special.freed = data;
}

void ms_shard_map(struct ms_shard *shard, uint64_t start, uint64_t end, uint32_t data, bool exact)
{
	ms_places_map(&shard->places, start, end, data, exact);
}

void ms_shard_unmap(struct ms_shard *shard, uint64_t start, uint64_t end)
{
	ms_places_unmap(&shard->places, start, end);
}

void ms_shard_add_module(struct ms_shard *shard, uint32_t module, const struct ms_place *places,
			 size_t n)
{
	ms_places_add_module(&shard->places, module, places, n);
}

void ms_shard_remove_module(struct ms_shard *shard, uint32_t module)
{
	ms_places_remove_module(&shard->places, module);
}

void ms_shard_tell(struct ms_shard *shard)
{
	uint64_t references = 0;

	for (size_t i = 0; i < shard->exits.n; i++)
		references += shard->exits.at[i].count * shard->exits.at[i].refs;
	__atomic_store_n(&shard->references, references, __ATOMIC_RELAXED);
}

void ms_engine_progress(const struct ms_engine *engine, struct ms_engine_progress *progress)
{
	progress->references = __atomic_load_n(&engine->shard[0].references, __ATOMIC_RELAXED);
	progress->misses = 0;
	for (unsigned i = 0; i < engine->shards; i++)
		progress->misses += __atomic_load_n(&engine->shard[i].misses, __ATOMIC_RELAXED);
}

uint64_t ms_engine_exit_count(const struct ms_engine *engine, uint32_t block, uint32_t exit)
{
	return engine->shard[0].exits.at[engine->shard[0].blocks.at[block].first_exit + exit].count;
}
