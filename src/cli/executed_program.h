/*
 * cli/executed_program.h - the program that was meant, where the one that memspy started has only
 * started it: env, nice, taskset, time, a shell script.
 */
#ifndef MS_CLI_EXECUTED_PROGRAM_H
#define MS_CLI_EXECUTED_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "run/run.h"
#include "store/store.h"

/* Compute and stall cycles of a run. */
uint64_t ms_cli_run_cost(const struct ms_run *run);

/*
 * Without --follow-forks: the run of the last program that was executed in the place of the one
 * that memspy has started (exec), if any; but if a child has executed one beside which this costs
 * next to nothing, the costliest of those. NULL: it is the run itself.
 */
const struct ms_run_child *ms_cli_find_meant(const struct ms_run *run);
/* Whether the run of the program that memspy has started is kept beside the meant one, because it
 * costs much more. */
bool ms_cli_is_program_kept(const struct ms_run *run, const struct ms_run_child *meant);
/* Deletes the other runs of executed programs, unless they have a considerable part of the cost.
 * trace: the program's file, which is that of the meant program afterwards; NULL: none. messages
 * gets a line about each that is kept, the meant one first, and one about the others. */
int ms_cli_drop_others(struct ms_store *store, struct ms_run *run, const struct ms_run_child *meant,
		       const char *trace, struct ms_text *messages, struct ms_err *err);
/* Loads the meant run, with the other ones that are kept as its children. Where it is of the same
 * process, it has ended as memspy has seen it. */
int ms_cli_load_meant(const char *db, const struct ms_run_child *meant, const struct ms_run *run,
		      struct ms_run *loaded, struct ms_err *err);

#endif
