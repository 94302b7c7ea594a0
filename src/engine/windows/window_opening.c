/* engine/windows/window_opening.c - opens and closes engines with windows or sampled sets. */
#include <assert.h>
#include <string.h>

#include "engine/engine_priv.h"
#include "engine/variant_priv.h"
#include "engine/windows/window_variant.h"
#include "engine/windows/windows.h"

/* --- groups of sets --- */

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
struct ms_engine_windows_sets ms_engine_windows_find_set_groups(const struct ms_machine *machine)
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

/* --- the engine --- */

bool ms_engine_windows_supports(const struct ms_machine *machine)
{
	return ms_caches_is_lru_write_back(machine);
}

/* alone: the machine has one processor, and so one cache at this level. */
static void open_level(const struct ms_engine_windows_state *w, struct ms_engine_windows_level *l,
		       const struct ms_machine_level *level, bool alone)
{
	enum { SETS_PER_STAMPED = 32, FEW = 64 };
	uint64_t every = w->sets.every, blocks;

	l->ways = level->ways;
	l->sets = ms_machine_sets(level);
	if (!alone)
		return;
	l->set = ms_pages_alloc(l->sets * sizeof(*l->set));
	if (every > 1)
		l->group_shift = w->sets.shift - (uint32_t)__builtin_ctz(level->line);
	l->block_shift = l->group_shift + w->every_shift;
	/* SETS_PER_STAMPED and `every` are powers of two, and so is the quotient. */
	l->stamped_every = l->sets < FEW || every > SETS_PER_STAMPED
				   ? 1
				   : (uint32_t)(SETS_PER_STAMPED / every);
	blocks = (l->sets >> l->block_shift) / l->stamped_every + 1;
	l->stamps = (blocks << l->group_shift) * l->ways;
	l->stamp = ms_pages_alloc(l->stamps * sizeof(*l->stamp));
}

void ms_engine_windows_open(struct ms_engine *engine, const struct ms_engine_setup *setup)
{
	struct ms_engine_windows_state *w = ms_alloc(sizeof(*w));
	const struct ms_machine *machine = setup->machine;

	w->sets = *setup->sets;
	w->every_shift = (uint32_t)__builtin_ctzll(w->sets.every);
	if (w->sets.every > 1 && w->sets.seen != NULL) {
		w->sampled_groups = ms_alloc(w->sets.mask + 1);
		memcpy(w->sampled_groups, w->sets.seen, w->sets.mask + 1);
	}
	w->sets.seen = w->sampled_groups;
	w->levels = (unsigned)machine->levels.n;
	w->level = ms_alloc(w->levels * sizeof(*w->level));
	for (unsigned i = 0; i < w->levels; i++)
		open_level(w, &w->level[i], &machine->levels.at[i], machine->processors <= 1);
	w->marks = ms_alloc(engine->batch_count * sizeof(*w->marks));
	w->known = ms_alloc(w->levels * sizeof(*w->known));
	w->taken = ms_alloc(w->levels * sizeof(*w->taken));
	engine->windows = w;
}

void ms_engine_windows_close(struct ms_engine *engine)
{
	struct ms_engine_windows_state *w = engine->windows;

	for (unsigned i = 0; i < w->levels && w->level[i].set != NULL; i++) {
		ms_pages_free(w->level[i].set, w->level[i].sets * sizeof(*w->level[i].set));
		ms_pages_free(w->level[i].stamp, w->level[i].stamps * sizeof(*w->level[i].stamp));
	}
	for (unsigned i = 0; i < engine->batch_count; i++)
		ms_vec_free(&w->marks[i].at);
	ms_free(w->marks);
	ms_free(w->level);
	ms_free(w->units.at);
	ms_free(w->sampled_groups);
	ms_free(w->known);
	ms_free(w->taken);
	ms_vec_free(&w->counts);
	ms_vec_free(&w->lives);
	ms_vec_free(&w->ways);
	ms_arena_free(&w->arena);
	ms_free(w);
}

uint64_t ms_engine_windows_measure(const struct ms_engine *engine)
{
	const struct ms_engine_windows_state *w = engine->windows;
	uint64_t bytes = 0;

	for (unsigned i = 0; i < w->levels; i++)
		bytes += w->level[i].sets * sizeof(struct ms_engine_windows_set) +
			 w->level[i].stamps * sizeof(struct ms_engine_windows_stamp);
	return bytes;
}

struct ms_engine *ms_engine_windows_open_engine(const struct ms_machine *machine, unsigned shards,
						unsigned batch_count,
						const struct ms_engine_fallback_data *data,
						const struct ms_engine_windows_sets *sets)
{
	static const struct ms_engine_windows_sets all = { .every = 1 };

	assert(ms_engine_windows_supports(machine));
	return ms_engine_open_variant(&(struct ms_engine_setup){
		.machine = machine,
		.shards = shards,
		.batch_count = batch_count,
		.data = data,
		.sets = sets != NULL ? sets : &all,
	});
}

/* --- shards --- */

/* If sets are sampled, the part of a reference depends on its line, and filters count by part. */
static void open_filter(struct ms_engine_shard *shard)
{
	const struct ms_engine_windows_state *w = shard->engine->windows;
	struct ms_engine_windows_filter *filter = &shard->windows;

	if (w->sets.every > 1) {
		shard->cells.parts = MS_ENGINE_WINDOWS_PARTS;
		filter->part_shift = w->sets.shift + w->every_shift;
		filter->part_mask = w->sets.mask >> w->every_shift;
		filter->part = ms_alloc(filter->part_mask + 1);
		filter->sampled_groups = w->sampled_groups;
	}
	ms_engine_windows_set_stratum(shard, 0, MS_ENGINE_WINDOWS_PARTS);
}

static void close_filter(struct ms_engine_windows_filter *filter)
{
	ms_vec_free(&filter->cells.at);
	ms_vec_free(&filter->executions);
	ms_vec_free(&filter->marks.at);
	ms_free(filter->part);
}

void ms_engine_windows_open_shard(struct ms_engine_shard *shard,
				  const struct ms_engine_setup *setup)
{
	ms_caches_open_levels(shard, setup);
	open_filter(shard);
}

void ms_engine_windows_close_shard(struct ms_engine_shard *shard)
{
	ms_caches_close_levels(shard);
	close_filter(&shard->windows);
}

/* --- several processors --- */

void ms_engine_windows_open_processors(struct ms_engine *engine,
				       const struct ms_engine_setup *setup)
{
	ms_coherence_open_engine(engine, setup);
	ms_engine_windows_open(engine, setup);
}

void ms_engine_windows_close_processors(struct ms_engine *engine)
{
	ms_coherence_close_engine(engine);
	ms_engine_windows_close(engine);
}

void ms_engine_windows_open_processor_shard(struct ms_engine_shard *shard,
					    const struct ms_engine_setup *setup)
{
	ms_coherence_open_shard(shard, setup);
	open_filter(shard);
}

void ms_engine_windows_close_processor_shard(struct ms_engine_shard *shard)
{
	ms_coherence_close_shard(shard);
	close_filter(&shard->windows);
}
