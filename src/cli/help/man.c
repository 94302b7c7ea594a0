/* cli/help/man.c - manual pages in troff, from the same tables as --help. */
#include <ctype.h>
#include <string.h>

#include "base/num.h"
#include "cli/cli_priv.h"
#include "cli/help/help.h"

/* A plain hyphen would be set as a dash, a dot or quote that begins a line taken as a request. */
static void put_n(const char *text, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		bool first = i == 0 || text[i - 1] == '\n';

		if (first && (text[i] == '.' || text[i] == '\''))
			fputs("\\&", out);
		if (text[i] == '-')
			fputs("\\-", out);
		else if (text[i] == '\\')
			fputs("\\e", out);
		else
			fputc(text[i], out);
	}
}

static void put(const char *text, FILE *out)
{
	put_n(text, strlen(text), out);
}

static void put_upper(const char *text, FILE *out)
{
	for (; *text != '\0'; text++)
		fputc(toupper((unsigned char)*text), out);
}

/* Paragraphs; one that starts with a space stays as it was written. */
static void put_paragraphs(const char *text, const char *separator, FILE *out)
{
	while (*text != '\0') {
		const char *end = strstr(text, "\n\n");
		size_t n = end != NULL ? (size_t)(end - text) : strlen(text);
		bool as_is = text[0] == ' ';

		while (n > 0 && text[n - 1] == '\n')
			n--;
		fputs(as_is ? ".nf\n" : "", out);
		put_n(text, n, out);
		fputs(as_is ? "\n.fi\n" : "\n", out);
		text = end != NULL ? end + strspn(end, "\n") : text + strlen(text);
		fputs(*text != '\0' ? separator : "", out);
	}
}

static void put_head(const char *name, const char *brief, FILE *out)
{
	fputs(".\\\" Written by `memspy help --man`; the tables are in src/cli.\n.TH ", out);
	put_upper(name, out);
	fprintf(out, " 1 \"\" \"memspy %s\" \"memspy manual\"\n.SH NAME\n", MS_VERSION);
	put(name, out);
	fputs(" \\- ", out);
	put(brief, out);
	fputc('\n', out);
}

static void put_bounds(const struct ms_opt *row, FILE *out)
{
	char min[MS_NUM_TEXT];
	char max[MS_NUM_TEXT];

	if (row->max <= row->min)
		return;
	if (row->kind == MS_OPT_SIZE)
		fprintf(out, "From %s to %s.\n", ms_format_size((uint64_t)row->min, min),
			ms_format_size((uint64_t)row->max, max));
	else if (row->kind == MS_OPT_NUMBER || row->kind == MS_OPT_REAL)
		fprintf(out, "From %.15g to %.15g.\n", row->min, row->max);
}

static void put_choices(const char *choices, FILE *out)
{
	fputs("One of ", out);
	for (const char *at = choices; *at != '\0';) {
		size_t n = strcspn(at, "|");

		fputs("\\fB", out);
		put_n(at, n, out);
		fputs(at[n] == '|' ? "\\fR, " : "\\fR.\n", out);
		at += at[n] == '|' ? n + 1 : n;
	}
}

static void put_sentence(const char *text, FILE *out)
{
	size_t n = strlen(text);

	fputc(toupper((unsigned char)text[0]), out);
	put(text + 1, out);
	fputs(n > 0 && strchr(".!?", text[n - 1]) != NULL ? "\n" : ".\n", out);
}

static void put_option(const struct ms_opt *row, FILE *out)
{
	fputs(".TP\n", out);
	if (row->letter != 0)
		fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
	fputs("\\fB\\-\\-", out);
	put(row->name, out);
	fputs("\\fR", out);
	if (row->kind != MS_OPT_FLAG) {
		fputs(" \\fI", out);
		put(row->value != NULL ? row->value : row->choices, out);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	put_sentence(row->brief, out);
	if (row->full != NULL)
		put_paragraphs(row->full, ".IP\n", out);
	if (row->choices != NULL)
		put_choices(row->choices, out);
	if (row->kind == MS_OPT_LIST)
		fputs("May be given more than once.\n", out);
	put_bounds(row, out);
}

static void put_examples(const char *examples, FILE *out)
{
	fputs(".SH EXAMPLES\n", out);
	for (const char *at = examples; *at != '\0';) {
		size_t n = strcspn(at, "\n");
		size_t left = strcspn(at, "\t\n");

		fputs(".TP\n\\fB", out);
		put_n(at, left, out);
		fputs("\\fR\n", out);
		put_n(at + left + (left < n), n - left - (left < n), out);
		fputc('\n', out);
		at += at[n] == '\n' ? n + 1 : n;
	}
}

static void put_command(const struct ms_cli_command *cmd, FILE *out)
{
	struct ms_help_options rows = { .set = &cmd->options };
	const struct ms_opt *row;
	char name[64];

	snprintf(name, sizeof(name), "memspy-%s", cmd->name);
	put_head(name, cmd->brief, out);
	fputs(".SH SYNOPSIS\n\\fBmemspy\\fR ", out);
	put(cmd->usage, out);
	fputs("\n.SH DESCRIPTION\n", out);
	put_paragraphs(cmd->full != NULL ? cmd->full : cmd->brief, ".PP\n", out);
	fputs(".SH OPTIONS\n", out);
	while ((row = ms_cli_next_option(&rows)) != NULL)
		put_option(row, out);
	if (cmd->limits != NULL) {
		fputs(".SH LIMITS\n", out);
		put_paragraphs(cmd->limits, ".PP\n", out);
	}
	if (cmd->examples != NULL)
		put_examples(cmd->examples, out);
	fputs(".SH ENVIRONMENT\nEach option with a long name can also be given as a variable: "
	      "\\fB\\-\\-some\\-name\\fR as \\fBMEMSPY_SOME_NAME\\fR.\n"
	      "The command line wins.\n.SH SEE ALSO\n.BR memspy (1)\n",
	      out);
}

static const char overview_tail[] =
	".SH ENVIRONMENT\n"
	".TP\n\\fBMEMSPY_\\fIOPTION\\fR\n"
	"Every option of every command, in upper case, a hyphen written as an underscore; "
	"the command line wins. A flag is 1 or 0.\n"
	".TP\n\\fBMEMSPY_MACHINES\\fR\nThe folder of the machine presets.\n"
	".TP\n\\fBMEMSPY_LIBDIR\\fR\nThe folder of the front\\-ends.\n"
	".TP\n\\fBNO_COLOR\\fR\nWhen set, output is never coloured.\n"
	".SH FILES\n"
	".TP\n\\fImemspy.db\\fR\nThe run database in the current folder (an SQLite file).\n"
	".SH EXIT STATUS\n"
	"0 on success, 1 when something could not be done, 2 when the command line is wrong, "
	"3 when a condition of \\fBmemspy diff \\-\\-fail\\-if\\fR was met.\n"
	"\\fBmemspy run\\fR passes the program's status through; its own are 125 (memspy failed), "
	"126 (the program cannot be run) and 127 (there is no such program).\n";

static void put_overview(FILE *out)
{
	put_head("memspy", MS_CLI_PURPOSE, out);
	fputs(".SH SYNOPSIS\n\\fBmemspy\\fR \\fICOMMAND\\fR [options] ...\n.SH DESCRIPTION\n"
	      "memspy runs an unmodified program, simulates the memory system of a machine, and "
	      "says which data, used in which code, makes the program wait for memory, and why: "
	      "because it was used for the first time, or because other data had evicted it.\n"
	      ".SH COMMANDS\n",
	      out);
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++) {
		fprintf(out, ".TP\n\\fBmemspy\\-%s\\fR(1)\n", ms_cli_commands[i]->name);
		put_sentence(ms_cli_commands[i]->brief, out);
	}
	fputs(overview_tail, out);
}

void ms_help_man(const struct ms_cli_command *cmd, FILE *out)
{
	if (cmd == NULL)
		put_overview(out);
	else
		put_command(cmd, out);
}
