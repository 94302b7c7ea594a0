/*
 * estimate/line_groups.h - how uncertain sums over selected lines are.
 *
 * The selected lines are in groups at random (engine/engine_line_totals.h). The spread between the
 * sums of groups is the spread of the whole sum, since accesses to one line are all in one group.
 */
#ifndef MS_ESTIMATE_LINE_GROUPS_H
#define MS_ESTIMATE_LINE_GROUPS_H

#include <stdint.h>

#include "engine/engine_line_totals.h"

uint64_t ms_estimate_sum_line_groups(const uint64_t sums[MS_ENGINE_LINE_GROUPS]);
/* The variance of the whole sum. */
double ms_estimate_line_variance(const uint64_t sums[MS_ENGINE_LINE_GROUPS]);
/* The variance of the whole sum where the number of lines, `per`, is known. */
double ms_estimate_line_ratio_variance(const uint64_t sums[MS_ENGINE_LINE_GROUPS],
				       const uint64_t per[MS_ENGINE_LINE_GROUPS]);

#endif
