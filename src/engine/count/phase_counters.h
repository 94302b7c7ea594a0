/* engine/count/phase_counters.h - references and misses by phase of the program. */
#ifndef MS_ENGINE_COUNT_PHASE_COUNTERS_H
#define MS_ENGINE_COUNT_PHASE_COUNTERS_H

#include <stdint.h>

#include "base/compiler.h"
#include "base/vec.h"

/* Counters by phase: see phase_counters.c. */
struct ms_count_phases {
	MS_VEC(uint64_t) at;
	uint64_t *last; /* counters of the phase that was counted last; NULL: none */
	uint32_t last_phase;
};

/* The references of a shard's filter, by phase. */
struct ms_count_phase_references {
	uint32_t now;  /* phase of current references */
	uint64_t from; /* references counted before it began */
	struct ms_count_phases counts;
};

struct ms_engine;
struct ms_engine_shard;

/* See ms_engine_begin_phase() and ms_engine_get_phase(). */
void ms_count_begin_phase(struct ms_engine_shard *shard, uint32_t phase);
void ms_count_sum_phase(struct ms_engine *engine, uint32_t phase, uint64_t *references,
			uint64_t *misses);
/* The counters of a phase: references, then misses by level. */
uint64_t *ms_count_get_phase(struct ms_count_phases *counts, uint32_t phase, unsigned levels);

MS_INLINE void ms_count_add_phase_misses(struct ms_count_phases *counts, uint32_t phase,
					 unsigned level, unsigned levels, uint64_t misses)
{
	if (MS_UNLIKELY(counts->last == NULL || counts->last_phase != phase)) {
		counts->last = ms_count_get_phase(counts, phase, levels);
		counts->last_phase = phase;
	}
	counts->last[1 + level] += misses;
}

MS_INLINE void ms_count_add_phase_miss(struct ms_count_phases *counts, uint32_t phase,
				       unsigned level, unsigned levels)
{
	ms_count_add_phase_misses(counts, phase, level, levels, 1);
}

#endif
