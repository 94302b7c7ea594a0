/*
 * run/regroup.h - merges several data structures, lines or code of a run into one: all their counts
 * are added up, in every array of the run that refers to them.
 */
#ifndef MS_RUN_REGROUP_H
#define MS_RUN_REGROUP_H

#include "run/fields.h"
#include "run/run.h"

/*
 * By index: the representative of this element, which is itself or an earlier element that
 * represents itself. NULL: each element represents itself. Representatives must already have the
 * names and sizes of their groups; the instructions of lines are added up here. Call paths of data
 * that represents others are dropped, unless keep_frames is set.
 */
struct ms_run_groups {
	const uint32_t *codes;
	const uint32_t *lines;
	const uint32_t *sites;
	const uint32_t *data;
	bool keep_frames;
};

/*
 * Sorts the rows of one of the arrays, and adds up those that differ in counts only. to: the new
 * index of each row, or NULL.
 */
void ms_run_sum_rows(struct ms_run *run, const struct ms_run_table *table, uint32_t *to);

void ms_run_regroup(struct ms_run *run, const struct ms_run_groups *groups);

#endif
