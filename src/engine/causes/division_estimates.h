/*
 * engine/causes/division_estimates.h - the estimated division of replacement misses, as sums by
 * group: the spread between groups shows how uncertain the sums are.
 *
 * In the first level, the groups are groups of observed batches; in the others, of selected lines
 * (engine_line_totals.h). Each counted miss or hit has a weight: it stands for so many.
 */
#ifndef MS_ENGINE_CAUSES_DIVISION_ESTIMATES_H
#define MS_ENGINE_CAUSES_DIVISION_ESTIMATES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "engine/causes/distance_bounds.h"
#include "engine/engine_line_totals.h"

struct ms_count_cell;
struct ms_engine_totals;

enum { MS_CAUSES_MAX_LEVELS = 16 };

struct ms_causes_estimate {
	uint32_t site;
	uint32_t data;
	uint32_t level;
	struct ms_engine_division_parts parts;
};

struct ms_causes_estimates {
	struct ms_map index[MS_CAUSES_MAX_LEVELS]; /* by site and data */
	MS_VEC(struct ms_causes_estimate) at;
};

void ms_causes_close_estimates(struct ms_causes_estimates *estimates);
uint64_t ms_causes_measure_estimates(const struct ms_causes_estimates *estimates);

/* An access to a line that was used before in the level, of which it is known whether it missed. */
struct ms_causes_observation {
	const struct ms_count_cell *cell;
	unsigned level;
	unsigned group;
	uint64_t weight;
	bool missed;
	enum ms_causes_verdict verdict; /* of the fully associative cache */
};
/* When a batch is finished; the division must be estimated. */
void ms_causes_add_observation(struct ms_causes_estimates *estimates,
			       const struct ms_causes_observation *o);

/* Adds to the divisions and misses of the totals. group: as in ms_causes_add_totals(). */
void ms_causes_add_estimate_totals(const struct ms_causes_estimates *estimates,
				   const uint32_t *group, struct ms_engine_totals *totals);

#endif
