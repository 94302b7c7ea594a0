/*
 * run/miss_causes.h - in which cache sets data misses, and how many misses optimal replacement
 * would have; part of run/run.h. Only of runs whose replacement misses are divided
 * (ms_run.division).
 */
#ifndef MS_RUN_MISS_CAUSES_H
#define MS_RUN_MISS_CAUSES_H

#include <stdint.h>

/* Neighbouring sets are counted together, in at most so many groups of the same size. */
enum { MS_RUN_SET_GROUPS = 64 };

/* Misses of data at a level in a group of sets; estimated from the observed part of the run. */
struct ms_run_set_miss {
	uint32_t data;
	uint32_t level;
	uint32_t sets; /* number of the group */
	uint64_t misses;
	uint64_t replaced; /* of these */
};

/*
 * Misses of data at a level that no replacement avoids: of a fully associative cache of the same
 * size with optimal replacement, first references included. `least`: lines that the touched bytes
 * would fill if no line had any other, which no layout avoids. Estimates with 95 % intervals.
 */
struct ms_run_optimal {
	uint32_t data;
	uint32_t level;
	double misses;
	double low;
	double high;
	double least;
	double least_low;
	double least_high;
};

#endif
