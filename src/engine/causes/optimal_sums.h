/*
 * engine/causes/optimal_sums.h - misses with optimal replacement, by data and level
 * (engine_line_totals.h).
 */
#ifndef MS_ENGINE_CAUSES_OPTIMAL_SUMS_H
#define MS_ENGINE_CAUSES_OPTIMAL_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "engine/engine_line_totals.h"

struct ms_engine_totals;

struct ms_causes_optimal_sums {
	struct ms_map index; /* by data and level */
	MS_VEC(struct ms_engine_total_optimal) at;
};

void ms_causes_close_optimal_sums(struct ms_causes_optimal_sums *sums);
uint64_t ms_causes_measure_optimal_sums(const struct ms_causes_optimal_sums *sums);

/* An access to a line that was used before in the level. */
struct ms_causes_optimal_access {
	uint32_t data;
	uint32_t level;
	unsigned group;
	uint64_t weight;
	bool missed;   /* the level */
	unsigned hits; /* a bit for each size of the cache with optimal replacement */
};
void ms_causes_add_optimal(struct ms_causes_optimal_sums *sums,
			   const struct ms_causes_optimal_access *access);

void ms_causes_add_optimal_totals(const struct ms_causes_optimal_sums *sums,
				  struct ms_engine_totals *totals);

#endif
