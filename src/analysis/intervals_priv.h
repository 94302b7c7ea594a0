/* analysis/intervals_priv.h - what the two files of intervals.h share. */
#ifndef MS_ANALYSIS_INTERVALS_PRIV_H
#define MS_ANALYSIS_INTERVALS_PRIV_H

#include "analysis/intervals.h"

/* As ms_intervals_make(); whole_run: there is one entry, which has all cells. */
void ms_intervals_of_keys(struct ms_intervals *intervals, const struct ms_summary *whole,
			  const uint64_t *keys, bool whole_run);

#endif
