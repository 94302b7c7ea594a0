/* cli/help/help.c - help texts of memspy and of its commands. */
#include <string.h>

#include "cli/cli_priv.h"
#include "cli/help/help.h"

enum { WIDTH = 80 };

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
