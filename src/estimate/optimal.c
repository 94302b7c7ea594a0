#include "estimate/optimal.h"

#include <math.h>
#include <stddef.h>

#include "estimate/line_groups.h"

enum { GROUPS = MS_ENGINE_LINE_GROUPS };
/* As in estimate/division.c: misses of one line, or of one loop, are alike. */
enum { ALIKE = 64 };
/* Student's t for 95 %: variances are from eight groups. */
#define DEVIATIONS 2.36

static double divide(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static double clamp(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

/*
 * The variance of the ratio of optimal misses to replacement misses: by the spread between groups,
 * and at least that of independent observations of a share.
 */
static double vary_ratio(const struct ms_engine_optimal_parts *parts, const uint64_t misses[GROUPS])
{
	double all = (double)ms_estimate_sum_line_groups(parts->replaced);
	double share = clamp((double)ms_estimate_sum_line_groups(misses) / all, 0, 1);
	double n = 1 + (double)parts->observed / ALIKE, likely = (share * n + 0.5) / (n + 1);

	return fmax(ms_estimate_line_ratio_variance(misses, parts->replaced) / (all * all),
		    likely * (1 - likely) / (n + 1));
}

bool ms_estimate_optimal(const struct ms_engine_optimal_parts *parts, uint64_t first,
			 uint64_t replaced, struct ms_estimate_range *range)
{
	double all = (double)ms_estimate_sum_line_groups(parts->replaced);
	double known = fmin(1, divide((double)parts->observed, (double)replaced));
	double scale = divide((double)replaced, all), value[MS_ENGINE_OPTIMAL], off;

	if (replaced > 0 && parts->observed == 0)
		return false;
	for (unsigned k = 0; k < MS_ENGINE_OPTIMAL; k++)
		value[k] = (double)first +
			   (replaced > 0 ? scale : 1) *
				   (double)ms_estimate_sum_line_groups(parts->misses[k]);
	off = replaced == 0 || known >= 1
		      ? 0
		      : DEVIATIONS * (double)replaced *
				sqrt((1 - known) *
				     vary_ratio(parts, parts->misses[MS_ENGINE_OPTIMAL_LIKELY]));
	range->value = value[MS_ENGINE_OPTIMAL_LIKELY];
	range->low = fmax((double)first, fmin(value[MS_ENGINE_OPTIMAL_FEWEST], range->value) - off);
	range->high = fmax(value[MS_ENGINE_OPTIMAL_MOST], range->value) + off;
	return true;
}

struct ms_estimate_range ms_estimate_floor(const struct ms_engine_total_curve *curve,
					   bool all_lines, uint64_t first, uint32_t line)
{
	double lines =
		curve != NULL ? (double)ms_estimate_sum_line_groups(curve->touched_lines) : 0;
	double most = (double)first;

	/* A byte of each line at least. */
	if (lines <= 0)
		return (struct ms_estimate_range){ most, most / line, most };
	double bytes = (double)ms_estimate_sum_line_groups(curve->touched_bytes);
	double variance = all_lines ? 0
				    : ms_estimate_line_ratio_variance(curve->touched_bytes,
								      curve->touched_lines);
	double value = clamp(most * bytes / lines / line, 0, most);
	double off = DEVIATIONS * most * sqrt(variance) / lines / line;

	return (struct ms_estimate_range){ value, clamp(value - off, most / line, most),
					   clamp(value + off, 0, most) };
}
