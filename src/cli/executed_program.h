/*
 * cli/executed_program.h - the program that was meant, where the one that memspy started has only
 * started it: env, nice, taskset, time, a shell script.
 */
#ifndef MS_CLI_EXECUTED_PROGRAM_H
#define MS_CLI_EXECUTED_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "run/run.h"
#include "store/store.h"

/* Compute and stall cycles of a run. */
uint64_t ms_cli_run_cost(const struct ms_run *run);

/*
 * Without --follow-forks: the run of a program that was executed, the one with the largest cost, if
 * the program itself costs next to nothing beside it. A program that has executed another in its
 * own place (exec) is never the one that is meant. NULL: it is the run itself.
 */
const struct ms_run_child *ms_cli_find_meant(const struct ms_run *run);
/* Deletes the other runs of executed programs, unless they have a considerable part of the cost.
 * trace: the program's file, which is that of the meant program afterwards; NULL: none. */
int ms_cli_drop_others(struct ms_store *store, struct ms_run *run, const struct ms_run_child *meant,
		       const char *trace, struct ms_err *err);
/* Loads the meant run. Where it is of the same process, it has ended as memspy has seen it. */
int ms_cli_load_meant(const char *db, const struct ms_run_child *meant, const struct ms_run *run,
		      struct ms_run *loaded, struct ms_err *err);
void ms_cli_print_meant(const struct ms_run *started, const struct ms_run *meant);

#endif
