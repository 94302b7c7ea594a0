/* analysis/sharing_priv.h - what sharing.c leaves to sharing_within.c. */
#ifndef MS_ANALYSIS_SHARING_PRIV_H
#define MS_ANALYSIS_SHARING_PRIV_H

#include "analysis/sharing.h"

/* Gives all numbers of misses their intervals. */
void ms_sharing_bound(struct ms_sharing *sharing);

#endif
