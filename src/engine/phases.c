/*
 * engine/phases.c - references and misses by phase of the program: what was counted so far is
 * looked at when a phase begins, and the difference goes to the one that ends. Nothing is added to
 * the hot loop.
 *
 * A shard keeps 1 + levels figures a phase: references, then misses. References over lines of
 * several shards carry their phase with them, and are settled into the engine's own figures.
 */
#include "engine/engine_priv.h"

static uint64_t *figures_of(struct phase_counts *counts, uint32_t phase, unsigned levels)
{
	size_t wanted = ((size_t)phase + 1) * (1 + levels);

	if (wanted > counts->at.n) {
		ms_vec_reserve(&counts->at, wanted - counts->at.n);
		counts->at.n = wanted;
	}
	return &counts->at.at[(size_t)phase * (1 + levels)];
}

void ms_phases_count_settled(struct ms_engine *engine, uint32_t phase, unsigned level)
{
	figures_of(&engine->settled_phases, phase, engine->settled.levels)[1 + level]++;
}

/* All that the shard has counted since its start. */
static void sum_up(struct ms_shard *shard, uint64_t *sums)
{
	ms_shard_flush(shard);
	for (size_t i = 0; i < shard->cells.list.n; i++) {
		const struct cell *cell = shard->cells.list.at[i];

		sums[0] += cell->references;
		for (unsigned l = 0; l < shard->levels; l++)
			for (unsigned c = 0; c < MS_MISS_CAUSES; c++)
				sums[1 + l] += cell->level[l].causes[c];
	}
}

void ms_shard_phase(struct ms_shard *shard, uint32_t phase)
{
	unsigned n = 1 + shard->levels;
	uint64_t *sums = ms_alloc(n * sizeof(*sums));
	uint64_t *before, *figures;

	sum_up(shard, sums);
	before = figures_of(&shard->phase_before, 0, shard->levels);
	figures = figures_of(&shard->phases, shard->phase, shard->levels);
	for (unsigned i = 0; i < n; i++) {
		figures[i] += sums[i] - before[i];
		before[i] = sums[i];
	}
	shard->phase = phase;
	ms_free(sums);
}

void ms_engine_phase(struct ms_engine *engine, uint32_t phase, uint64_t *references,
		     uint64_t *misses)
{
	unsigned levels = engine->settled.levels;
	const uint64_t *settled = figures_of(&engine->settled_phases, phase, levels);

	*references = 0;
	for (unsigned l = 0; l < levels; l++)
		misses[l] = settled[1 + l];
	for (unsigned i = 0; i < engine->shards; i++) {
		struct ms_shard *shard = &engine->shard[i];

		ms_shard_phase(shard, shard->phase);
		const uint64_t *figures = figures_of(&shard->phases, phase, levels);
		*references += figures[0];
		for (unsigned l = 0; l < levels; l++)
			misses[l] += figures[1 + l];
	}
}
