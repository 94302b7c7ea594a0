/* analysis/evictions/evictions_priv.h - what evictions.c leaves to eviction_intervals.c. */
#ifndef MS_ANALYSIS_EVICTIONS_EVICTIONS_PRIV_H
#define MS_ANALYSIS_EVICTIONS_EVICTIONS_PRIV_H

#include "analysis/evictions/evictions.h"

/* What a miss of a level waits longer than one that the level answers itself. */
uint64_t ms_evictions_miss_cost(const struct ms_summary *summary, size_t level);
/* Gives all numbers their intervals. */
void ms_evictions_set_intervals(struct ms_evictions *evictions);

#endif
