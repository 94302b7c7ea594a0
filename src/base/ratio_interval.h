/*
 * base/ratio_interval.h - a ratio of two sums that is estimated from samples, and its confidence
 * interval.
 */
#ifndef MS_BASE_RATIO_INTERVAL_H
#define MS_BASE_RATIO_INTERVAL_H

#include <stddef.h>

/* Samples that were drawn at the same density, in n parts; parts without x do not count. */
struct ms_ratio_stratum {
	const double *y, *x;
	size_t n;
	double scale; /* the sampled population divided by the sample; 1: all was sampled */
};

/*
 * Half the width of the 95 % interval of sum (scale * y) / sum (scale * x); NaN: something was
 * sampled only in part, and no stratum has two parts to compare.
 */
double ms_ratio_spread(const struct ms_ratio_stratum *strata, size_t n);

/* Student's t, 97.5 %, by degrees of freedom, at least 1; somewhat too large for many. */
double ms_ratio_quantile(size_t freedom);

#endif
