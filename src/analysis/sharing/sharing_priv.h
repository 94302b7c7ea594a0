/* analysis/sharing/sharing_priv.h - what sharing.c leaves to sharing_intervals.c. */
#ifndef MS_ANALYSIS_SHARING_SHARING_PRIV_H
#define MS_ANALYSIS_SHARING_SHARING_PRIV_H

#include "analysis/sharing/sharing.h"

/* Gives all numbers of misses their intervals. */
void ms_sharing_set_intervals(struct ms_sharing *sharing);

#endif
