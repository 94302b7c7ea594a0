/* analysis/evictions/evictions_priv.h - what evictions.c leaves to eviction_intervals.c. */
#ifndef MS_ANALYSIS_EVICTIONS_EVICTIONS_PRIV_H
#define MS_ANALYSIS_EVICTIONS_EVICTIONS_PRIV_H

#include "analysis/evictions/evictions.h"

/* Gives all numbers their intervals. */
/* Cycles that a replacement miss of a level costs, on average. */
double ms_evictions_replacement_cost(const struct ms_summary *whole, size_t level);
void ms_evictions_set_intervals(struct ms_evictions *evictions);

#endif
