#include "analysis/confidence_intervals/poststratified.h"

#include <stdbool.h>

static double sum(const double *at, size_t n)
{
	double all = 0;

	for (size_t i = 0; i < n; i++)
		all += at[i];
	return all;
}

/* Whether one part has nearly all of it: then the other parts do not give the ratio. */
static bool is_in_one_part(const double *at, size_t n, double all)
{
	static const double nearly_all = 0.9;

	for (size_t i = 0; i < n; i++)
		if (at[i] > nearly_all * all)
			return true;
	return false;
}

void ms_intervals_poststratify(double *y, const double *stratum, const double *all, size_t parts)
{
	double in_stratum = sum(stratum, parts), in_all = sum(all, parts), total = sum(y, parts);

	if (!(in_stratum > 0) || !(in_all > 0) || is_in_one_part(stratum, parts, in_stratum))
		return;
	double ratio = total / in_stratum, residuals = 0;

	for (size_t p = 0; p < parts; p++) {
		y[p] = (y[p] - ratio * stratum[p]) * in_stratum / (in_stratum - stratum[p]);
		residuals += y[p];
	}
	/* Residuals from the other parts do not add up to 0. */
	for (size_t p = 0; p < parts; p++)
		y[p] += (total - residuals) * all[p] / in_all;
}

void ms_intervals_poststratify_references(double *y, const double *stratum, const double *all,
					  size_t parts)
{
	double in_stratum = sum(stratum, parts), in_all = sum(all, parts), total = sum(y, parts);

	if (!(in_stratum > 0) || !(in_all > 0))
		return;
	for (size_t p = 0; p < parts; p++)
		y[p] += total * (all[p] / in_all - stratum[p] / in_stratum);
}
