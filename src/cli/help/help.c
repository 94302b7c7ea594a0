/* cli/help/help.c - what memspy says about itself and about mistakes. */
#include <string.h>

#include "base/utf8.h"
#include "cli/cli_priv.h"
#include "cli/commands/commands.h"
#include "cli/help/help.h"

enum { WIDTH = 80 };

/*
 * Exit statuses by kind of failure. A command that runs somebody else's program keeps the statuses
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

/* The command whose options were parsed: a mistake points to its help. One process, one command. */
static const struct ms_cli_command *current;

/* Names in it come from other people's programs, or were typed: what steers terminals is not sent.
 */
static void print_sentence(const char *text)
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

	print_sentence(err->text);
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

/* Fills one paragraph, of n bytes, into lines; spaces and newlines count as one space. */
static void fill_paragraph(const char *text, size_t n, FILE *out)
{
	size_t column = 0;

	for (size_t i = 0; i < n;) {
		size_t skip = strspn(text + i, " \n");
		size_t word = strcspn(text + i + skip, " \n");

		i += skip;
		if (i >= n)
			break;
		if (column > 0 && column + 1 + word > WIDTH) {
			fputc('\n', out);
			column = 0;
		}
		fprintf(out, "%s%.*s", column > 0 ? " " : "", (int)word, text + i);
		column += word + (column > 0);
		i += word;
	}
	fputc('\n', out);
}

/* Paragraphs are filled; a paragraph that starts with a space stays as it was written. */
static void print_paragraphs(const char *text, FILE *out)
{
	while (*text != '\0') {
		const char *end = strstr(text, "\n\n");
		size_t n = end != NULL ? (size_t)(end - text) : strlen(text);

		while (n > 0 && text[n - 1] == '\n')
			n--;
		if (text[0] == ' ')
			fprintf(out, "%.*s\n", (int)n, text);
		else if (n > 0)
			fill_paragraph(text, n, out);
		text = end != NULL ? end + strspn(end, "\n") : text + strlen(text);
		if (*text != '\0')
			fputc('\n', out);
	}
}

/* "command\texplanation\n" ... in two columns where they fit, else one below the other. */
static void print_examples(const char *examples, FILE *out)
{
	size_t width = 0;

	for (const char *at = examples; *at != '\0';) {
		size_t n = strcspn(at, "\n");
		size_t left = strcspn(at, "\t\n");

		if (left > width)
			width = left;
		at += at[n] == '\n' ? n + 1 : n;
	}
	for (const char *at = examples; *at != '\0';) {
		size_t n = strcspn(at, "\n");
		size_t left = strcspn(at, "\t\n");
		size_t right = n > left ? n - left - 1 : 0;

		if (width > WIDTH / 2 && right > 0)
			fprintf(out, "  %.*s\n        %.*s\n", (int)left, at, (int)right,
				at + left + 1);
		else
			fprintf(out, "  %-*.*s  %.*s\n", (int)width, (int)left, at, (int)right,
				at + n - right);
		at += at[n] == '\n' ? n + 1 : n;
	}
}

int ms_help_command(const struct ms_cli_command *cmd)
{
	printf("Usage: memspy %s\n\n", cmd->usage);
	print_paragraphs(cmd->full != NULL ? cmd->full : cmd->brief, stdout);
	printf("\nOptions:\n");
	ms_opt_help(&cmd->options, stdout);
	if (cmd->limits != NULL) {
		printf("\nLimits:\n");
		print_paragraphs(cmd->limits, stdout);
	}
	if (cmd->examples != NULL) {
		printf("\nExamples:\n");
		print_examples(cmd->examples, stdout);
	}
	return MS_CLI_EXIT_OK;
}

void ms_help_overview(FILE *out)
{
	fprintf(out, "memspy %s - %s\n\n", MS_VERSION, MS_CLI_PURPOSE);
	fprintf(out, "Usage: memspy COMMAND [options] ...\n\nCommands:\n");
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++)
		fprintf(out, "  %-8s  %s\n", ms_cli_commands[i]->name, ms_cli_commands[i]->brief);
	fprintf(out, "\nStart with:  memspy run -- ./program arguments\n"
		     "More about:  memspy help COMMAND\n");
}
