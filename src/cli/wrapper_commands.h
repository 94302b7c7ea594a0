/*
 * cli/wrapper_commands.h - commands that only start another program: env, nice, taskset, time.
 *
 * The native front-end follows them to the program that is meant. Where that is not possible
 * (memspy sample, --frontend valgrind), the order is reversed: `memspy sample nice ./p` becomes
 * `nice memspy sample ./p`.
 */
#ifndef MS_CLI_WRAPPER_COMMANDS_H
#define MS_CLI_WRAPPER_COMMANDS_H

#include <stddef.h>

#include "base/err.h"

/* The number of words before the program that is meant; 0: it is the first. words ends with NULL.
 */
size_t ms_cli_count_wrapper_words(const char *const *words);
/*
 * Executes memspy again, by the wrapper that is at the start of the program's words; argv are the
 * command with its options, which the program's words end. Returns if there is no wrapper.
 */
int ms_cli_enter_wrapper(int argc, char *const argv[], const char *const *words,
			 struct ms_err *err);

#endif
