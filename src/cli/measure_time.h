/* cli/measure_time.h - runs commands without memspy and measures their processor time. */
#ifndef MS_CLI_MEASURE_TIME_H
#define MS_CLI_MEASURE_TIME_H

#include "base/err.h"
#include "base/opt.h"

/*
 * Runs a command to its end; its standard output is discarded. A command with blanks is passed to a
 * shell, with the arguments as "$@". Fails if it cannot be started or ends with a status other than
 * 0. *seconds: of its processor time, with that of children that it has waited for.
 */
int ms_cli_measure_time(const char *command, const char *const *arguments, size_t n,
			double *seconds, struct ms_err *err);

#endif
