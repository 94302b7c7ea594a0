/*
 * collect/gaps.h - how many references a program has made natively between windows, where nobody
 * counted them.
 */
#ifndef MS_COLLECT_GAPS_H
#define MS_COLLECT_GAPS_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/wire.h"

/* What lies in front of a window. */
struct gap {
	double told;  /* references, by processor time */
	double taken; /* blocks that were allocated */
	struct ms_wire_timed timed;
	bool counted; /* others were counted beside them */
	/* The window: */
	uint32_t window;
	double references;
	double taken_in;
};

/* How far off what was told may be: as little of it as this was there; and both ends are so many
 * times farther away where few windows were met. */
struct gaps_range {
	double least;
	double few;
	bool threads; /* there are several */
};

struct gaps_estimate {
	double references;
	double low, high; /* they are between these */
};

/* Of n gaps, one behind the other. */
struct gaps_estimate ms_gaps_estimate(const struct gap *gaps, size_t n,
				      const struct gaps_range *range);

#endif
