/*
 * analysis/cost.h - from counted events to cycles.
 *
 * A reference that misses level i and is answered by level i + 1 stalls for that level's latency,
 * one that no level answers for the memory's. So, with misses[i] counted per level and never more
 * than at the level before:
 *
 *    stall = sum over i of (misses[i] - misses[i + 1]) * latency[i + 1],
 *            misses of the last level * latency of the memory
 *
 * Models:   one cycle an instruction (its hit in the first level included), one stall a reference.
 * Does not: overlap, prefetching (misses that a prefetcher covers stall as well; they are counted
 *           apart), bandwidth, store buffers. The figures rank; they do not predict.
 */
#ifndef MS_ANALYSIS_COST_H
#define MS_ANALYSIS_COST_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "store/run.h"

struct ms_cost {
	/* One per level: cycles of a miss of this level that the next one (or memory) answers. */
	MS_VEC(uint64_t) answer;
};

/*
 * The latencies of the run's machine, then those of `changes` ("L2=12,L3=40,memory=200"; NULL:
 * none) over them. On failure *cost needs no free.
 */
int ms_cost_init(struct ms_cost *cost, const struct ms_run *run, const char *changes,
		 struct ms_err *err);
/* misses holds one count per level. */
uint64_t ms_cost_stall(const struct ms_cost *cost, const uint64_t *misses);
void ms_cost_free(struct ms_cost *cost);

#endif
