/*
 * run/merge_runs.h - adds runs of one program or of several up: the sums over the ranks of a job,
 * or over the processes of a command.
 *
 * Functions are the same if module, name and offset are; the program's own module is identified by
 * its build-id, others by their names without folder. Data is the same if its key (run/key.h) and
 * the program are. Memory depends on what is different in the runs, not on their number.
 *
 * Not added up, since it depends on the time or the processes of a single run: timelines, threads
 * and their waiting, occupancy of caches, sharing, simulated monitors.
 */
#ifndef MS_RUN_MERGE_RUNS_H
#define MS_RUN_MERGE_RUNS_H

#include "run/run.h"

struct ms_run_merger;

struct ms_run_merger *ms_run_merger_new(void);
/* Why a run cannot be added to those before it: other levels, other kinds of figures; NULL: it can.
 */
const char *ms_run_merger_refuses(const struct ms_run_merger *merger, const struct ms_run *run);
/* merge_check.c: the same for two runs. */
const char *ms_run_why_not_merged(const struct ms_run *sums, const struct ms_run *run);
void ms_run_merger_add(struct ms_run_merger *merger, const struct ms_run *run);
/* Rows of ranks only, of a run that is not added. */
void ms_run_merger_add_ranks(struct ms_run_merger *merger, const struct ms_run *run);
/* The number of runs added. */
size_t ms_run_merger_count(const struct ms_run_merger *merger);
/* Frees the merger; its sums become *run, which has no uid, no tag and no note. */
void ms_run_merger_finish(struct ms_run_merger *merger, struct ms_run *run);

#endif
