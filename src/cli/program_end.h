/* cli/program_end.h - what the commands that start programs have in common once these have ended.
 */
#ifndef MS_CLI_PROGRAM_END_H
#define MS_CLI_PROGRAM_END_H

#include <stdbool.h>

#include "base/err.h"
#include "cli/options/report.h"
#include "cli/parallel_save.h"
#include "run/run.h"
#include "store/store.h"

/* Says what went wrong, and goes on. */
void ms_cli_warn(const struct ms_err *err);
/*
 * A database that cannot be written costs the keeping of the run, not the run; unless keeping it
 * was all that was asked for. *store is NULL then. It is not to be held open while the program
 * runs: whatever ends memspy then leaves nothing of it.
 */
int ms_cli_check_store(const struct ms_options_report *report, bool quiet, struct ms_store **store,
		       struct ms_err *err);
/* How the program ended, where that is not the usual way. Once the run is kept, or cannot be. */
void ms_cli_report_end(const struct ms_run *run);
/* The program's standard output is its own: the report goes to standard error, or to the file. JSON
 * and CSV go to standard output, after what the program has written. Meanwhile closes the database
 * that contains the run, if it is still open. */
int ms_cli_print_run(const struct ms_options_report *report, bool quiet,
		     struct ms_cli_late_close *kept, struct ms_run *run, struct ms_err *err);
/* Ends as the program did: the parent process of memspy sees the same status. */
int ms_cli_end_as(const struct ms_run *run);

#endif
