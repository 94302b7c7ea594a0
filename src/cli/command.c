/* cli/command.c - options and errors of the command that runs. */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/commands/commands.h"
#include "cli/help/help.h"

/*
 * Exit statuses by kind of failure. A command that runs a program of the user keeps the statuses
 * below 125 for that program, as env(1), timeout(1) and nohup(1) do.
 */
static const struct {
	int plain;
	int wrapping;
} statuses[] = {
	[MS_OK] = { MS_CLI_EXIT_OK, MS_CLI_EXIT_OK },
	[MS_EUSAGE] = { MS_CLI_EXIT_USAGE, MS_CLI_EXIT_OWN },
	[MS_EFORMAT] = { MS_CLI_EXIT_FAILURE, MS_CLI_EXIT_OWN },
	[MS_EIO] = { MS_CLI_EXIT_FAILURE, MS_CLI_EXIT_OWN },
	[MS_ENOENT] = { MS_CLI_EXIT_FAILURE, MS_CLI_EXIT_NOENT },
	[MS_ENOEXEC] = { MS_CLI_EXIT_NOEXEC, MS_CLI_EXIT_NOEXEC },
	[MS_EMISSING] = { MS_CLI_EXIT_OWN, MS_CLI_EXIT_OWN },
	[MS_EBUG] = { MS_CLI_EXIT_OWN, MS_CLI_EXIT_OWN },
};

/* The command whose options were parsed: errors of usage refer to its help. */
static const struct ms_cli_command *current;

/* Names in it come from programs and users: control characters of terminals are replaced. */
static void print_error(const char *text)
{
	struct ms_text line = MS_TEXT_INIT, safe = MS_TEXT_INIT;

	while (*text != '\0') {
		size_t n = strcspn(text, "\n");

		ms_text_clear(&line);
		ms_text_add_n(&line, text, n);
		ms_utf8_fit(&safe, ms_text_get(&line), SIZE_MAX, MS_CUT_END);
		ms_text_add(&safe, "\n");
		text += n + (text[n] == '\n');
	}
	fprintf(stderr, "memspy: %s", ms_text_get(&safe));
	ms_text_free(&line);
	ms_text_free(&safe);
}

int ms_cli_fail(const struct ms_err *err)
{
	bool wrapping = current != NULL && current->options.stop_at_word;

	print_error(err->text);
	if (err->code == MS_EUSAGE && current != NULL && current != &ms_commands_help)
		fprintf(stderr, "Try 'memspy %s --help'.\n", current->name);
	else if (err->code == MS_EUSAGE)
		fprintf(stderr, "Try 'memspy help'.\n");
	return wrapping ? statuses[err->code].wrapping : statuses[err->code].plain;
}

bool ms_cli_options(const struct ms_cli_command *cmd, int argc, char *const argv[], void *into,
		    struct ms_words *rest, int *status)
{
	struct ms_err err;

	current = cmd;
	if (ms_opt_wants_help(&cmd->options, argc, argv)) {
		*status = ms_help_command(cmd);
		return true;
	}
	if (ms_opt_parse(&cmd->options, argc, argv, into, rest, &err) != MS_OK) {
		ms_vec_free(&rest->at);
		*status = ms_cli_fail(&err);
		return true;
	}
	return false;
}
