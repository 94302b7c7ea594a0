/* base/ratio.h - a ratio of two sums that is known from samples, and how far off it may be. */
#ifndef MS_BASE_RATIO_H
#define MS_BASE_RATIO_H

#include <stddef.h>

/* Samples that were drawn in the same way, in so many parts; those without x are none. */
struct ms_ratio_stratum {
	const double *y, *x;
	size_t n;
	double scale; /* what is sampled is so many times as large as what was seen; 1: all was */
};

/*
 * Half the width of the 95 % interval of sum (scale * y) / sum (scale * x); NaN: something was not
 * seen whole, and nowhere are there two parts to compare.
 */
double ms_ratio_spread(const struct ms_ratio_stratum *strata, size_t n);

/* Student's t, 97.5 %, by degrees of freedom, at least 1; of many, somewhat too wide. */
double ms_ratio_quantile(size_t freedom);

#endif
