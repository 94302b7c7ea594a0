/*
 * estimate/division.h - how uncertain the estimated division of replacement misses is
 * (engine_line_totals.h).
 */
#ifndef MS_ESTIMATE_DIVISION_H
#define MS_ESTIMATE_DIVISION_H

#include <stdint.h>

#include "engine/engine_line_totals.h"

/* The variances of the counts that the parts give for so many replacement misses. */
struct ms_estimate_division {
	double conflict;
	double capacity;
	double saved;
};

struct ms_estimate_division ms_estimate_divide(const struct ms_engine_division_parts *parts,
					       uint64_t replaced);

#endif
