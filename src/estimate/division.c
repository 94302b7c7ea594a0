#include "estimate/division.h"

#include <math.h>

#include "estimate/line_groups.h"

/* The spread of fewer groups says nothing. */
enum { FEWEST_GROUPS = 3 };

/* Misses of one line, or of one loop, are alike: so many count as one. */
enum { ALIKE = 64 };

static unsigned count_groups(const struct ms_engine_division_parts *parts)
{
	unsigned n = 0;

	for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++)
		n += parts->examined[g] > 0;
	return n;
}

/*
 * The variance of a share in the examined misses: by the spread between groups, and at least that
 * of independent observations. (Where all are alike, the next one still need not be.)
 */
static double vary_share(const struct ms_engine_division_parts *parts,
			 const uint64_t part[MS_ENGINE_LINE_GROUPS])
{
	double all = (double)ms_estimate_sum_line_groups(parts->examined);
	double share = (double)ms_estimate_sum_line_groups(part) / all;
	double spread = ms_estimate_line_ratio_variance(part, parts->examined) / (all * all);
	unsigned groups = count_groups(parts);
	double n = groups + (groups < FEWEST_GROUPS ? 0 : (double)parts->observed / ALIKE);
	double likely = (share * n + 0.5) / (n + 1);

	return fmax(spread, likely * (1 - likely) / (n + 1));
}

/* At least that of one more observation. */
static double vary_saved(const struct ms_engine_division_parts *parts)
{
	uint64_t both[MS_ENGINE_LINE_GROUPS];
	double weight = parts->observed > 0 ? (double)ms_estimate_sum_line_groups(parts->examined) /
						      (double)parts->observed
					    : 0;

	for (unsigned g = 0; g < MS_ENGINE_LINE_GROUPS; g++)
		both[g] = parts->saved[g] + parts->maybe_saved[g];
	return fmax(ms_estimate_line_variance(both), weight * weight);
}

struct ms_estimate_division ms_estimate_divide(const struct ms_engine_division_parts *parts,
					       uint64_t replaced)
{
	struct ms_estimate_division variance = { 0, 0, 0 };
	/* What was examined is known. */
	double unknown =
		replaced > parts->observed ? 1 - (double)parts->observed / (double)replaced : 0;

	variance.saved = (parts->observed > 0 ? unknown : 1) * vary_saved(parts);
	if (parts->observed == 0)
		return variance;
	double squares = (double)replaced * (double)replaced * unknown;

	variance.conflict = squares * vary_share(parts, parts->conflict);
	variance.capacity = squares * vary_share(parts, parts->capacity);
	return variance;
}
