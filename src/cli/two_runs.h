/* cli/two_runs.h - commands that show two runs side by side. */
#ifndef MS_CLI_TWO_RUNS_H
#define MS_CLI_TWO_RUNS_H

#include "cli/options/report.h"

/*
 * Loads the two runs that the words name and has them printed where the options say. expected: what
 * the words should have been ("memspy accuracy WHOLE SAMPLED"). arg is the command's own.
 */
int ms_cli_two_runs(const struct ms_options_report *opts, const struct ms_words *words,
		    const char *expected,
		    int (*print)(const void *arg, const struct ms_run runs[2], FILE *out,
				 struct ms_err *err),
		    const void *arg, struct ms_err *err);

#endif
