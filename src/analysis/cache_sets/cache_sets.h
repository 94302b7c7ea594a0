/* analysis/cache_sets/cache_sets.h - in which cache sets data misses. */
#ifndef MS_ANALYSIS_CACHE_SETS_CACHE_SETS_H
#define MS_ANALYSIS_CACHE_SETS_CACHE_SETS_H

#include "run/run.h"

/* Misses of data at a level by group of neighbouring sets. */
struct ms_cache_sets {
	uint32_t groups;     /* 0: not known */
	uint64_t group_sets; /* sets of a group */
	uint64_t misses[MS_RUN_SET_GROUPS];
	uint64_t replaced[MS_RUN_SET_GROUPS]; /* of these */
};

/* data: a flag for each of the run; NULL: all. */
struct ms_cache_sets ms_cache_sets_of(const struct ms_run *run, uint32_t level, const bool *data);

/* Most replacement misses are in few groups: these, and their share. */
struct ms_cache_sets_peak {
	uint32_t n; /* 0: they are spread */
	double share;
	uint8_t groups[MS_RUN_SET_GROUPS]; /* ascending */
};

struct ms_cache_sets_peak ms_cache_sets_find_peak(const struct ms_cache_sets *sets);

#endif
