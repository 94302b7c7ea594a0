/* cli/help/fish_completion.c - completion for fish: a `complete` for each command and option. */
#include <string.h>

#include "cli/help/completion.h"
#include "cli/help/help.h"

static const char head[] =
	"# fish completion for memspy; written by `memspy help --completion fish`.\n"
	"function __memspy_machines\n"
	"\tmemspy machine list --csv 2>/dev/null | string replace -r ',.*' '' | tail -n +2\n"
	"end\n"
	"\n"
	"function __memspy_runs\n"
	"\techo @latest\n"
	"\tfor line in (memspy runs --csv 2>/dev/null | tail -n +2)\n"
	"\t\tset -l cells (string split , -- $line)\n"
	"\t\tstring match -qr '^[0-9]+$' -- $cells[1]; or continue\n"
	"\t\tprintf '@%s\\t%s\\n' $cells[1] \"$cells[4] $cells[3]\"\n"
	"\t\ttest -n \"$cells[2]\"; and echo @$cells[2]\n"
	"\tend\n"
	"end\n"
	"\n"
	"function __memspy_names\n"
	"\tfor line in (memspy $argv[1] --csv 2>/dev/null | tail -n +2 | string replace -r "
	"'" MS_HELP_COMPLETE_FIGURES "' '')\n"
	"\t\tif string match -q '\"*' -- $line\n"
	"\t\t\tstring replace -r '^\"((?:[^\"]|\"\")*)\".*' '$1' -- $line | string replace -a "
	"'\"\"' '\"'\n"
	"\t\telse\n"
	"\t\t\tstring replace -r ',.*' '' -- $line\n"
	"\t\tend\n"
	"\tend\n"
	"end\n"
	"\n"
	"function __memspy_is\n"
	"\tset -l words (commandline -opc)\n"
	"\ttest \"$words[2]\" = \"$argv[1]\"\n"
	"end\n"
	"\n"
	"complete -c memspy -n __fish_use_subcommand -f\n"
	"complete -c memspy -n __fish_use_subcommand -l help -d 'explain memspy'\n"
	"complete -c memspy -n __fish_use_subcommand -l version -d 'version, features, "
	"libraries'\n";

/* In single quotes. */
static void put_text(const char *text, FILE *out)
{
	fputc('\'', out);
	for (; *text != '\0'; text++) {
		if (*text == '\'' || *text == '\\')
			fputc('\\', out);
		fputc(*text, out);
	}
	fputc('\'', out);
}

/* 'host (__memspy_machines)' */
static void put_list(const char *words, FILE *out)
{
	fputc('\'', out);
	for (; *words != '\0'; words++) {
		if (*words != '%') {
			fputc(*words == '|' ? ' ' : *words, out);
			continue;
		}
		words++;
		fputs(*words == 'm'   ? "(__memspy_machines)"
		      : *words == 'r' ? "(__memspy_runs)"
		      : *words == 'd' ? "(__memspy_names fullname)"
		      : *words == 'f' ? "(__memspy_names code)"
				      : "",
		      out);
		for (size_t i = 0; *words == 'c' && ms_cli_commands[i] != NULL; i++)
			fprintf(out, "%s%s", i > 0 ? " " : "", ms_cli_commands[i]->name);
	}
	fputc('\'', out);
}

static void begin(const struct ms_cli_command *cmd, FILE *out)
{
	fprintf(out, "complete -c memspy -n '__memspy_is %s'", cmd->name);
}

static void put_option(const struct ms_cli_command *cmd, const struct ms_opt *row, FILE *out)
{
	const char *words = row->kind != MS_OPT_FLAG ? ms_help_complete_value(row) : NULL;

	begin(cmd, out);
	if (row->letter != 0)
		fprintf(out, " -s %c", row->letter);
	fprintf(out, " -l %s", row->name);
	if (words != NULL) {
		fputs(" -x", out);
		if (words[0] != '\0') {
			fputs(" -a ", out);
			put_list(words, out);
		}
	} else if (row->kind != MS_OPT_FLAG) {
		fputs(" -r -F", out);
	}
	fputs(" -d ", out);
	put_text(row->brief, out);
	fputc('\n', out);
}

static void put_command(const struct ms_cli_command *cmd, FILE *out)
{
	struct ms_help_options rows = { .set = &cmd->options };
	const char *words = ms_help_complete_words(cmd);
	const struct ms_opt *row;

	fprintf(out, "\ncomplete -c memspy -n __fish_use_subcommand -a %s -d ", cmd->name);
	put_text(cmd->brief, out);
	fputc('\n', out);
	if (words != NULL) {
		begin(cmd, out);
		fputs(" -f -a ", out);
		put_list(words, out);
		fputc('\n', out);
	}
	if (cmd->options.stop_at_word) {
		begin(cmd, out);
		fputs(" -a '(__fish_complete_subcommand --fcs-skip=2)'\n", out);
	}
	while ((row = ms_cli_next_option(&rows)) != NULL)
		put_option(cmd, row, out);
}

void ms_help_fish_completion(FILE *out)
{
	fputs(head, out);
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++)
		put_command(ms_cli_commands[i], out);
}
