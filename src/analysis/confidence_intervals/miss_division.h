/*
 * analysis/confidence_intervals/miss_division.h - replacement misses of an entry at a level, by
 * what a fully associative cache would have done, with bounds.
 *
 * Bounds contain what is ambiguous and, where the division is estimated (MS_RUN_ESTIMATED), the
 * error of the estimate with 95 %. Errors of different cells are taken as independent.
 */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_MISS_DIVISION_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_MISS_DIVISION_H

#include "analysis/confidence_intervals/intervals.h"

struct ms_intervals_division {
	uint64_t conflict;
	uint64_t capacity;
	uint64_t ambiguous;
	uint64_t saved;
	struct ms_intervals_bounds conflict_bounds; /* numbers */
	struct ms_intervals_bounds capacity_bounds;
	struct ms_intervals_bounds saved_bounds;
};

struct ms_intervals_division ms_intervals_divide(const struct ms_summary_level_counts *level);

#endif
