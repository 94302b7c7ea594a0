/* cli/options/attach.h - see attach.c. */
#ifndef MS_CLI_OPTIONS_ATTACH_H
#define MS_CLI_OPTIONS_ATTACH_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/opt.h"

/* words, which are empty, become its program and arguments. */
int ms_options_attached_program(pid_t pid, struct ms_arena *arena, struct ms_words *words,
				struct ms_err *err);

#endif
