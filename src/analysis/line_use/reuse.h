/*
 * analysis/line_use/reuse.h - misses on lines that were used before: how many there can be, and how
 * exactly it is known what was used in between.
 */
#ifndef MS_ANALYSIS_LINE_USE_REUSE_H
#define MS_ANALYSIS_LINE_USE_REUSE_H

#include "run/run.h"

/*
 * By data: what the estimated misses of its pairs are multiplied by, so that together they are at
 * most the misses of the first level. Free it with ms_free().
 */
double *ms_line_use_find_reuse_factors(const struct ms_run *run);

/* Bytes of other lines that were used in between: a geometric mean with its interval. */
struct ms_line_use_distance {
	double bytes;
	double low, high; /* equal: all lines were observed */
};

struct ms_line_use_distance ms_line_use_get_distance(const struct ms_run *run,
						     const struct ms_run_reuse *reuse);

#endif
