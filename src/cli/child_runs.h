/* cli/child_runs.h - the runs of a program's children that memspy run --follow-forks has stored. */
#ifndef MS_CLI_CHILD_RUNS_H
#define MS_CLI_CHILD_RUNS_H

#include <stdbool.h>

#include "cli/options/focus.h"
#include "cli/options/report.h"
#include "run/run.h"
#include "store/store.h"

/* Saves the run of a child, in the child's collecting process: nothing of a database that is open
 * elsewhere may be used. origin: the run of the program whose origin it has. */
int ms_cli_save_child_run(struct ms_run *run, const struct ms_run *origin,
			  const struct ms_options_focus *focus,
			  const struct ms_options_report *report);
/* Stores which run is the parent of each child's. */
int ms_cli_link_child_runs(struct ms_store *store, const struct ms_run *run, struct ms_err *err);
/* Merges the run with those of its children, which are stored in `db`, and stores the sums. */
int ms_cli_merge_children(const char *db, const struct ms_run *run, struct ms_run *merged,
			  struct ms_err *err);
/* line: struct ms_cli_progress_line, which is cleared. */
void ms_cli_print_waiting_for_children(void *line);
/* suggests_merge: names the option that makes one report of many. */
void ms_cli_print_child_runs(const struct ms_run *run, bool suggests_merge, bool quiet);
/* Says how much processor time children took that were not followed, if that is a considerable part
 * of the program's. started: the command of memspy; shown: the same run, or that of the program
 * that was executed in its place: which of the two has started them is not known. */
void ms_cli_print_unfollowed_children(const struct ms_run *started, const struct ms_run *shown);
void ms_cli_print_child_traces(const struct ms_run *run, const char *trace, bool quiet);

#endif
