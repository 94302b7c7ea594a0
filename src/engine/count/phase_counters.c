/*
 * engine/count/phase_counters.c - references and misses by phase of the program.
 *
 * Each phase has 1 + levels counters: references, then misses. References are summed only when a
 * phase begins, and the difference is added to the phase that ends: this costs nothing in the hot
 * loop. A pending access has its phase with it, and so has the record of a split reference.
 */
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

uint64_t *ms_count_get_phase(struct ms_count_phases *counts, uint32_t phase, unsigned levels)
{
	size_t wanted = ((size_t)phase + 1) * (1 + levels);

	if (wanted > counts->at.n) {
		ms_vec_reserve(&counts->at, wanted - counts->at.n);
		counts->at.n = wanted;
		counts->last = NULL; /* it may have moved */
	}
	return &counts->at.at[(size_t)phase * (1 + levels)];
}

/* All references that the shard has filtered since its start. */
static uint64_t references_of(struct ms_engine_shard *shard)
{
	const struct ms_engine_variant *variant = shard->engine->variant;

	variant->flush_references(shard);
	return variant->counts->count_references(shard);
}

void ms_count_begin_phase(struct ms_engine_shard *shard, uint32_t phase)
{
	uint64_t references = references_of(shard);

	ms_count_get_phase(&shard->phase_references.counts, shard->phase_references.now,
			   shard->levels)[0] += references - shard->phase_references.from;
	shard->phase_references.from = references;
	shard->phase_references.now = phase;
}

void ms_count_sum_phase(struct ms_engine *engine, uint32_t phase, uint64_t *references,
			uint64_t *misses)
{
	unsigned levels = engine->counts.finished.levels;
	const uint64_t *finished =
		ms_count_get_phase(&engine->counts.finished_phases, phase, levels);

	*references = 0;
	for (unsigned l = 0; l < levels; l++)
		misses[l] = finished[1 + l];
	for (unsigned i = 0; i < engine->shards; i++) {
		struct ms_engine_shard *shard = &engine->shard[i];

		ms_count_begin_phase(shard, shard->phase_references.now);
		*references +=
			ms_count_get_phase(&shard->phase_references.counts, phase, levels)[0];
		const uint64_t *figures = ms_count_get_phase(&shard->counts.phases, phase, levels);
		for (unsigned l = 0; l < levels; l++)
			misses[l] += figures[1 + l];
	}
}
