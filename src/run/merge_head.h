/* run/merge_head.h - sums of the figures that a run has once; part of run/merge_runs.h. */
#ifndef MS_RUN_MERGE_HEAD_H
#define MS_RUN_MERGE_HEAD_H

#include "run/run.h"

/* Adds them to a run that is the sum of `count` others. Texts stay. */
void ms_run_sum_head(struct ms_run *run, const struct ms_run *from, size_t count);

#endif
