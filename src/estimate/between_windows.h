/*
 * estimate/between_windows.h - estimates how many references a natively running program makes
 * between windows, where they are not counted.
 */
#ifndef MS_ESTIMATE_BETWEEN_WINDOWS_H
#define MS_ESTIMATE_BETWEEN_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>

#include "wire/wire.h"

/* The time before a window in which the program was not traced. */
struct ms_estimate_gap {
	double by_time; /* references, estimated from processor time */
	double blocks;  /* heap blocks that were allocated */
	struct ms_wire_timed timed;
	bool counted; /* some more references of the ms_estimate_gap were counted */
	/* The window after it: */
	uint32_t window;
	double references;
	double blocks_in;
};

/* The error of the estimate from processor time. least: the smallest ratio of the true value to the
 * estimate. few: both bounds are this many times farther away where there are few windows. */
struct ms_estimate_gap_range {
	double least;
	double few;
	bool threads; /* the program has several */
};

struct ms_estimate_interval {
	double references;
	double low, high; /* their interval */
};

/* For n gaps, in the order of time. */
struct ms_estimate_interval ms_estimate_between_windows(const struct ms_estimate_gap *gaps,
							size_t n,
							const struct ms_estimate_gap_range *range);

#endif
