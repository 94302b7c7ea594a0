/* cli/cli_priv.h - what the files of cli/ share: the command table and the writers that read it. */
#ifndef MS_CLI_CLI_PRIV_H
#define MS_CLI_CLI_PRIV_H

#include <stdio.h>

#include "cli/command.h"

#define MS_CLI_PURPOSE "which data, used in which code, makes a program wait for memory, and why"

/* Every command, in the order in which a newcomer needs them; ends with NULL. */
extern const struct ms_cli_command *const ms_cli_commands[];

/* The command of that name, or NULL. */
const struct ms_cli_command *ms_cli_find(const char *name);
/* MS_EUSAGE with a sentence about a word that should be a command and is none. */
int ms_cli_unknown(const char *name, struct ms_err *err);

/* version.c: what `memspy --version` says. */
void ms_cli_version(FILE *out);

#endif
