/*
 * run/regroup.h - several data, lines or code of a run become one: all that is counted of them is
 * added up, in every array of the run that points to them.
 */
#ifndef MS_RUN_REGROUP_H
#define MS_RUN_REGROUP_H

#include "run/run.h"

/*
 * By index: the element that stands for this one, itself or one before it that stands for itself.
 * NULL: each stands for itself. What stands for others must already have their names and sizes; the
 * instructions of lines are added up here. Call paths of data that stands for others are dropped.
 */
struct ms_regroup {
	const uint32_t *codes;
	const uint32_t *lines;
	const uint32_t *sites;
	const uint32_t *data;
};

void ms_run_regroup(struct ms_run *run, const struct ms_regroup *groups);

#endif
