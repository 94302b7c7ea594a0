#include "analysis/confidence_intervals/miss_division.h"

#include <math.h>

/* Student's t for 95 %: variances are from eight groups (estimate/division.h). */
#define DEVIATIONS 2.36

static struct ms_intervals_bounds bound(double count, double variance, double ambiguous,
					double ambiguous_variance, double most)
{
	return (struct ms_intervals_bounds){
		.low = fmax(count - DEVIATIONS * sqrt(variance), 0),
		.high = fmin(count + ambiguous + DEVIATIONS * sqrt(ambiguous_variance), most),
	};
}

/* What is not certainly a capacity miss may be a conflict miss. */
struct ms_intervals_division ms_intervals_divide(const struct ms_summary_level_counts *level)
{
	uint64_t all = level->causes[MS_CAUSE_REPLACED],
		 certain = level->conflict + level->capacity;
	uint64_t ambiguous = all > certain ? all - certain : 0;

	return (struct ms_intervals_division){
		.conflict = level->conflict,
		.capacity = level->capacity,
		.ambiguous = ambiguous,
		.saved = level->saved,
		.conflict_bounds = bound((double)level->conflict, level->conflict_variance,
					 (double)ambiguous, level->capacity_variance, (double)all),
		.capacity_bounds = bound((double)level->capacity, level->capacity_variance,
					 (double)ambiguous, level->conflict_variance, (double)all),
		.saved_bounds = bound((double)level->saved, level->saved_variance,
				      (double)level->maybe_saved, level->saved_variance, INFINITY),
	};
}
