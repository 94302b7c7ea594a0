/* analysis/evictions/evictions_priv.h - what evictions.c leaves to eviction_intervals.c. */
#ifndef MS_ANALYSIS_EVICTIONS_EVICTIONS_PRIV_H
#define MS_ANALYSIS_EVICTIONS_EVICTIONS_PRIV_H

#include "analysis/evictions/evictions.h"

/* Gives all numbers their intervals. */
void ms_evictions_set_intervals(struct ms_evictions *evictions);

#endif
