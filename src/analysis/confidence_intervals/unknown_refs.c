#include "analysis/confidence_intervals/unknown_refs.h"

#include <math.h>

/* Of a share p of misses, in sqrt(p (1 - p)); and of the number of first uses, as a part of it. */
static const double first_level_error = 0.15, share_error = 0.12, first_error = 0.2;
/* In the difference between a share and that of uniform reuse. */
static const double uniform_error = 0.25;
/* Of an entry that is a part of the run, beside the root of how small a part it is. */
static const double entry_error = 2;

double ms_intervals_unknown_refs_count(const struct ms_intervals_unknown_refs *refs)
{
	return refs->seen_before + refs->between_only + refs->first;
}

/* A share that was found to be 0 or 1 in few references may be another one. */
static double share_deviation(double misses, double n)
{
	double p = (misses + 1) / (n + 2);

	return sqrt(p * (1 - p));
}

/* How much larger the error of an entry is than that of the run; no error exceeds the deviation. */
static double entry_factor(double part, double all, double most)
{
	static const double nearly_all = 0.999; /* sums differ by rounding */

	return part > 0 && part < nearly_all * all ? fmin(entry_error * sqrt(all / part), most) : 1;
}

double ms_intervals_unknown_refs_error(const struct ms_intervals_unknown_refs *refs,
				       const struct ms_intervals_unknown_total *level)
{
	double share = level->is_first ? first_level_error : share_error;
	double factor = entry_factor(ms_intervals_unknown_refs_count(refs), level->all, 1 / share);
	double before =
		refs->seen_before * share_deviation(refs->seen_before_misses, refs->seen_before);
	double between =
		refs->between_only * share_deviation(refs->between_only_misses, refs->between_only);
	double evicted =
		refs->between_only > 0 ? refs->between_only_misses / refs->between_only : 0;
	double uniform = refs->between_only * fabs(level->uniform_evicted - evicted);
	/* A first use that is none is used between windows, and may miss nevertheless. */
	double first = refs->first * (1 - evicted);

	/* The share of both is made of the same lines, so that their errors add up. */
	return factor * hypot(share * (before + between),
			      hypot(first_error * first, uniform_error * uniform));
}
