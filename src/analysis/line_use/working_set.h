/*
 * analysis/line_use/working_set.h - how many misses data would have in caches of other sizes, and
 * which code uses lines again.
 */
#ifndef MS_ANALYSIS_LINE_USE_WORKING_SET_H
#define MS_ANALYSIS_LINE_USE_WORKING_SET_H

#include <stdbool.h>

#include "base/vec.h"
#include "run/run.h"

/* Misses in a fully associative LRU cache of this size; an estimate with its interval. */
struct ms_line_use_point {
	uint64_t size;
	double misses;
	double low, high;
	double variance; /* of misses, if the distances were known */
};

struct ms_line_use_curve {
	MS_VEC(struct ms_line_use_point) at; /* the smallest cache first; none: not observed */
};

/* References by data, which misses cannot exceed. Free it with ms_free(). */
double *ms_line_use_count_references(const struct ms_run *run);
/* Of one data structure, which has so many references, and size. */
struct ms_line_use_point ms_line_use_get_point(const struct ms_run_curve *row, double references);
/* data: a flag for each of the run; NULL: all. Free it with ms_vec_free(). */
void ms_line_use_make_curve(const struct ms_run *run, const bool *data,
			    struct ms_line_use_curve *curve);
/*
 * The smallest cache in which the data has at most `part` of the misses that it has in the smallest
 * one, above those of the largest one; 0: not observed.
 */
uint64_t ms_line_use_find_working_set(const struct ms_line_use_curve *curve, double part);

#endif
