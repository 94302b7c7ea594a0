/* estimate/first_use.h - which accesses to lines that no window has seen are first uses. */
#ifndef MS_ESTIMATE_FIRST_USE_H
#define MS_ESTIMATE_FIRST_USE_H

#include <stddef.h>

/* Accesses of code to the lines of a data structure, in one cache. */
struct ms_estimate_first_uses {
	size_t at;     /* index of the cell and level; its meaning is the caller's */
	size_t group;  /* of the data and cache */
	double unseen; /* misses on lines that no window has seen before ... */
	double weight; /* ... and the weight of each */
	/* Accesses to lines that were not used in their window before, and that are not known to
	 * miss; and those of them to lines that an earlier window has seen. */
	double asked, seen;
	double again;
	double share; /* result: the share of the unseen ones that are first uses */
};

/* Estimates the number of lines of which windows have seen `seen`, in `accesses` accesses (the
 * first to a line in each window), where one of `scale` references was in a window. */
double ms_estimate_lines(double seen, double accesses, double scale);

/* lines: by group, an upper bound of the first uses, weighted; it is lowered to the estimate. Sorts
 * uses by group. */
void ms_estimate_first_use_shares(struct ms_estimate_first_uses *uses, size_t n, double scale,
				  double *lines);

#endif
