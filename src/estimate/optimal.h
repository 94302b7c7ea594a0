/*
 * estimate/optimal.h - intervals of misses with optimal replacement, and of the lines that touched
 * bytes would fill (engine/engine_line_totals.h).
 */
#ifndef MS_ESTIMATE_OPTIMAL_H
#define MS_ESTIMATE_OPTIMAL_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine_line_totals.h"

struct ms_estimate_range {
	double value;
	double low; /* of the 95 % interval */
	double high;
};

/*
 * Of a data structure at a level with so many misses of first references and by replacement.
 * Returns false if nothing of the level was observed.
 */
bool ms_estimate_optimal(const struct ms_engine_optimal_parts *parts, uint64_t first,
			 uint64_t replaced, struct ms_estimate_range *range);
/*
 * Lines of so many bytes that hold all touched bytes, if no line has any other: `first` lines of
 * them were fetched for first references. curve: NULL if none of the lines were observed.
 */
struct ms_estimate_range ms_estimate_floor(const struct ms_engine_total_curve *curve,
					   bool all_lines, uint64_t first, uint32_t line);

#endif
