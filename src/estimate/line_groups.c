/* estimate/line_groups.c - see line_groups.h. */
#include "estimate/line_groups.h"

enum { GROUPS = MS_ENGINE_LINE_GROUPS };

uint64_t ms_estimate_sum_line_groups(const uint64_t sums[MS_ENGINE_LINE_GROUPS])
{
	uint64_t sum = 0;

	for (unsigned g = 0; g < GROUPS; g++)
		sum += sums[g];
	return sum;
}

double ms_estimate_line_variance(const uint64_t sums[MS_ENGINE_LINE_GROUPS])
{
	double mean = (double)ms_estimate_sum_line_groups(sums) / GROUPS, squares = 0;

	for (unsigned g = 0; g < GROUPS; g++)
		squares += ((double)sums[g] - mean) * ((double)sums[g] - mean);
	return squares * GROUPS / (GROUPS - 1);
}

double ms_estimate_line_ratio_variance(const uint64_t sums[MS_ENGINE_LINE_GROUPS],
				       const uint64_t per[MS_ENGINE_LINE_GROUPS])
{
	double all = (double)ms_estimate_sum_line_groups(per), squares = 0;
	double ratio = all > 0 ? (double)ms_estimate_sum_line_groups(sums) / all : 0;

	for (unsigned g = 0; g < GROUPS; g++) {
		double off = (double)sums[g] - ratio * (double)per[g];

		squares += off * off;
	}
	return squares * GROUPS / (GROUPS - 1);
}
