#include "engine/count/set_misses.h"

#include <string.h>

#include "engine/engine_priv.h"

void ms_count_open_sets(struct ms_count_sets *sets, const struct ms_machine *machine)
{
	const struct ms_machine_level *first = &machine->levels.at[0];
	size_t levels = machine->levels.n;

	*sets = (struct ms_count_sets){
		.levels =
			levels < MS_ENGINE_SLICE_LEVELS ? (unsigned)levels : MS_ENGINE_SLICE_LEVELS,
	};
	sets->level = ms_alloc(sets->levels * sizeof(*sets->level));
	for (unsigned l = 0; l < sets->levels; l++) {
		const struct ms_machine_level *level = &machine->levels.at[l];

		sets->level[l].sets = ms_machine_sets(level);
		while (first->line << sets->level[l].shift < level->line)
			sets->level[l].shift++;
	}
}

void ms_count_close_sets(struct ms_count_sets *sets)
{
	ms_free(sets->level);
	sets->level = NULL;
}

uint64_t ms_count_measure_sets(const struct ms_count_sets *sets)
{
	return sets->level != NULL ? sets->levels * sizeof(*sets->level) : 0;
}

static void merge_parts(struct ms_count_set_level *level)
{
	const size_t half = MS_COUNT_SET_PARTS / 2;

	for (size_t i = 0; i < half; i++)
		for (size_t g = 0; g < MS_COUNT_SET_GROUPS; g++)
			level->misses[i][g] = level->misses[2 * i][g] + level->misses[2 * i + 1][g];
	memset(level->misses[half], 0, half * sizeof(level->misses[0]));
}

void ms_count_begin_set_batch(struct ms_count_sets *sets)
{
	if (sets->batches == UINT64_C(1) << sets->shift) {
		sets->batches = 0;
		sets->part++;
	}
	if (sets->part == MS_COUNT_SET_PARTS) {
		for (unsigned l = 0; l < sets->levels; l++)
			merge_parts(&sets->level[l]);
		sets->part /= 2;
		sets->shift++;
	}
	sets->batches++;
}

void ms_count_add_set_misses(struct ms_count_sets *sets, unsigned level,
			     const struct ms_caches_miss *lines, size_t n)
{
	if (level >= sets->levels)
		return;
	struct ms_count_set_level *of = &sets->level[level];
	const uint64_t count = of->sets, shift = of->shift,
		       groups = count < MS_COUNT_SET_GROUPS ? count : MS_COUNT_SET_GROUPS;
	uint64_t *misses = of->misses[sets->part];

	if ((count & (count - 1)) != 0) {
		for (size_t i = 0; i < n; i++)
			misses[(lines[i].line >> shift) % count * groups / count]++;
		return;
	}
	const unsigned down = (unsigned)__builtin_ctzll(count / groups);

	for (size_t i = 0; i < n; i++)
		misses[(lines[i].line >> shift & (count - 1)) >> down]++;
}

static uint64_t sum_shards(const struct ms_engine *engine, unsigned level, unsigned part,
			   unsigned group)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < engine->shards; i++)
		sum += engine->shard[i].counts.sets.level[level].misses[part][group];
	return sum;
}

void ms_count_list_sets(const struct ms_engine *engine, struct ms_engine_totals *totals)
{
	const struct ms_count_sets *sets = &engine->shard[0].counts.sets;

	for (unsigned part = 0; sets->level != NULL && part <= sets->part; part++)
		for (unsigned l = 0; l < sets->levels; l++)
			for (unsigned g = 0; g < MS_COUNT_SET_GROUPS; g++) {
				uint64_t misses = sum_shards(engine, l, part, g);

				if (misses > 0)
					*ms_vec_add(&totals->set_parts) =
						(struct ms_engine_total_set_part){ part, l, g,
										   misses };
			}
}
