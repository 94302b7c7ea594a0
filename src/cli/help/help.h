/* cli/help/help.h - help, manual pages and completion, all of them from the tables of options. */
#ifndef MS_CLI_HELP_HELP_H
#define MS_CLI_HELP_HELP_H

#include <stdio.h>

#include "cli/command.h"

/* What `memspy help` shows. */
void ms_help_overview(FILE *out);
/* The man page of a command, or memspy.1 for NULL. */
void ms_help_man(const struct ms_cli_command *cmd, FILE *out);
void ms_help_bash_completion(FILE *out);
void ms_help_zsh_completion(FILE *out);
void ms_help_fish_completion(FILE *out);
/* Prints the help of a command; returns MS_CLI_EXIT_OK. */
int ms_help_command(const struct ms_cli_command *cmd);

/* The options of a command one after the other, --help last, then NULL. */
struct ms_help_options {
	const struct ms_opt_set *set;
	size_t table;
	size_t row;
};

const struct ms_opt *ms_cli_next_option(struct ms_help_options *rows);

#endif
