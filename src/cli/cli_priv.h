/* cli/cli_priv.h - what the files of cli/ share: the command table and the writers that read it. */
#ifndef MS_CLI_CLI_PRIV_H
#define MS_CLI_CLI_PRIV_H

#include <stdio.h>

#include "cli/command.h"

#define MS_CLI_PURPOSE "which data, used in which code, makes a program wait for memory, and why"

extern const struct ms_cmd ms_cmd_help;

/* Every command, in the order in which a newcomer meets them; ends with NULL. */
extern const struct ms_cmd *const ms_cli_commands[];

/* The command of that name, or NULL. */
const struct ms_cmd *ms_cli_find(const char *name);
/* MS_EUSAGE with a sentence about a word that should be a command and is none. */
int ms_cli_unknown(const char *name, struct ms_err *err);

/* What `memspy help` shows. */
void ms_cli_overview(FILE *out);
/* The man page of a command, or memspy.1 for NULL. */
void ms_cli_man(const struct ms_cmd *cmd, FILE *out);
void ms_cli_bash_completion(FILE *out);
void ms_cli_zsh_completion(FILE *out);
void ms_cli_fish_completion(FILE *out);
/* version.c: what `memspy --version` says. */
void ms_cli_version(FILE *out);

/* The options of a command one after the other, --help last, then NULL. */
struct ms_cli_rows {
	const struct ms_opt_set *set;
	size_t table;
	size_t row;
};

const struct ms_opt *ms_cli_next_option(struct ms_cli_rows *rows);

#endif
