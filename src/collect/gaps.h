/*
 * collect/gaps.h - estimates how many references a natively running program makes between windows,
 * where they are not counted.
 */
#ifndef MS_COLLECT_GAPS_H
#define MS_COLLECT_GAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "wire/wire.h"

/* The time before a window in which the program was not traced. */
struct gap {
	double told;  /* references, estimated from processor time */
	double taken; /* heap blocks that were allocated */
	struct ms_wire_timed timed;
	bool counted; /* some more references of the gap were counted */
	/* The window after it: */
	uint32_t window;
	double references;
	double taken_in;
};

/* The error of the estimate from processor time. least: the smallest ratio of the true value to the
 * estimate. few: both bounds are this many times farther away where there are few windows. */
struct gaps_range {
	double least;
	double few;
	bool threads; /* the program has several */
};

struct gaps_estimate {
	double references;
	double low, high; /* their interval */
};

/* For n gaps, in the order of time. */
struct gaps_estimate ms_gaps_estimate(const struct gap *gaps, size_t n,
				      const struct gaps_range *range);

#endif
