/*
 * run/merge_samples.h - sorts the samples of a run, and adds up rows that differ in nothing but
 * their figures.
 */
#ifndef MS_RUN_MERGE_SAMPLES_H
#define MS_RUN_MERGE_SAMPLES_H

#include "run/run.h"

/* Of hardware_samples: by cell, answer, sureness. */
void ms_run_merge_samples(struct ms_run *run);
/* Of hardware_computes: by line. */
void ms_run_merge_computes(struct ms_run *run);

#endif
