/*
 * cli/wrapper_commands.h - commands that only start another program: env, nice, taskset, time.
 *
 * The native front-end follows them to the program that is meant. Where that is not possible
 * (memspy sample, --frontend valgrind, a statically linked program), the order is reversed: `memspy
 * sample nice ./p` becomes `nice memspy sample ./p`.
 */
#ifndef MS_CLI_WRAPPER_COMMANDS_H
#define MS_CLI_WRAPPER_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "launch/options.h"

/* The number of words before the program that is meant; 0: it is the first. words ends with NULL.
 */
size_t ms_cli_count_wrapper_words(const char *const *words);
/* Whether a program is one of them, by its name. */
bool ms_cli_is_wrapper(const char *program);
/* Whether this front-end cannot follow a wrapper to its program: natively, if the program exists,
 * but is one that cannot be followed; the choice between front-ends is then that program's. */
bool ms_cli_is_wrapper_entered(enum ms_launch_frontend frontend, const char *const *words);
/*
 * Executes memspy again, by the wrapper that is at the start of the program's words; argv are the
 * command with its options, which the program's words end. Returns if there is no wrapper.
 */
int ms_cli_enter_wrapper(int argc, char *const argv[], const char *const *words,
			 struct ms_err *err);

#endif
