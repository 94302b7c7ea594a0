/* cli/attach_options.h - see attach_options.c. */
#ifndef MS_CLI_ATTACH_OPTIONS_H
#define MS_CLI_ATTACH_OPTIONS_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/opt.h"

/* words, which are empty, become its program and arguments. */
int ms_cli_attached(pid_t pid, struct ms_arena *arena, struct ms_words *words, struct ms_err *err);

#endif
