/*
 * analysis/intrinsic/intrinsic.h - the misses of data that no replacement, order or layout avoids,
 * and by what the others could be avoided.
 */
#ifndef MS_ANALYSIS_INTRINSIC_INTRINSIC_H
#define MS_ANALYSIS_INTRINSIC_INTRINSIC_H

#include "run/run.h"

struct ms_intrinsic_range {
	double value;
	double low; /* of the 95 % interval */
	double high;
};

/*
 * Misses of a level: `misses` >= `optimal` >= `first` >= `least`. What is between two of them,
 * another replacement (or mapping to sets), another order of accesses, or another layout gains at
 * most.
 */
struct ms_intrinsic {
	bool known;
	double misses;                     /* without those by invalidation */
	double first;                      /* of these, by first reference */
	struct ms_intrinsic_range optimal; /* with optimal replacement */
	struct ms_intrinsic_range least;   /* lines that the touched bytes would fill */
};

/* Gains of another replacement, order and layout, at most. */
enum ms_intrinsic_gain {
	MS_INTRINSIC_REPLACEMENT,
	MS_INTRINSIC_ORDER,
	MS_INTRINSIC_LAYOUT,
	MS_INTRINSIC_GAINS
};
double ms_intrinsic_gain(const struct ms_intrinsic *intrinsic, enum ms_intrinsic_gain gain);
/* "replacement", as keys of JSON. */
const char *ms_intrinsic_word(enum ms_intrinsic_gain gain);

/* data: a flag for each of the run; NULL: all. */
struct ms_intrinsic ms_intrinsic_of(const struct ms_run *run, uint32_t level, const bool *data);
/* The same of one data with so many misses by first reference and by replacement; much faster. */
struct ms_intrinsic ms_intrinsic_of_data(const struct ms_run *run, uint32_t level, uint32_t data,
					 uint64_t first, uint64_t replaced);

#endif
