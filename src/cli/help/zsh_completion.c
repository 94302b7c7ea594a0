/* cli/help/zsh_completion.c - completion for zsh: a function of its _arguments for each command. */
#include <string.h>

#include "cli/help/completion.h"
#include "cli/help/help.h"

static const char head[] =
	"#compdef memspy\n"
	"# zsh completion for memspy; written by `memspy help --completion zsh`.\n"
	"\n"
	"_memspy_machines() {\n"
	"\tlocal -a machines\n"
	"\tmachines=(${${(f)\"$(memspy machine list --csv 2>/dev/null)\"}[2,-1]%%,*})\n"
	"\tcompadd \"$@\" -- $machines\n"
	"}\n"
	"\n"
	"_memspy_runs() {\n"
	"\tlocal -a lines names\n"
	"\tlocal line\n"
	"\tlines=(${${(f)\"$(memspy runs --csv 2>/dev/null)\"}[2,-1]})\n"
	"\tnames=(@latest)\n"
	"\tfor line in $lines; do\n"
	"\t\tlocal -a cells\n"
	"\t\tcells=(\"${(@s:,:)line}\")\n"
	"\t\t[[ $cells[1] == <-> ]] && names+=(@$cells[1])\n"
	"\t\t[[ $cells[1] == <-> && -n $cells[2] ]] && names+=(@$cells[2])\n"
	"\tdone\n"
	"\tcompadd \"$@\" -- ${(u)names}\n"
	"}\n"
	"\n"
	"_memspy_names() {\n"
	"\tlocal -a lines names\n"
	"\tlocal name command=$1\n"
	"\tshift\n"
	"\tlines=(${${(f)\"$(memspy $command --csv 2>/dev/null | sed -E "
	"'s/" MS_HELP_COMPLETE_FIGURES "//')\"}[2,-1]})\n"
	"\tfor name in $lines; do\n"
	"\t\tif [[ $name == \\\"* ]]; then\n"
	"\t\t\tname=${name#\\\"} name=${name%%\\\",*} name=${name//\\\"\\\"/\\\"}\n"
	"\t\telse\n"
	"\t\t\tname=${name%%,*}\n"
	"\t\tfi\n"
	"\t\tnames+=(\"$name\")\n"
	"\tdone\n"
	"\tcompadd \"$@\" -- ${(u)names}\n"
	"}\n"
	"\n";

static const char tail[] = "\t*) _files ;;\n"
			   "\tesac\n"
			   "}\n"
			   "\n"
			   "if [[ $funcstack[1] == _memspy ]]; then\n"
			   "\t_memspy \"$@\"\n"
			   "else\n"
			   "\tcompdef _memspy memspy\n"
			   "fi\n";

/* In single quotes, within brackets of _arguments or before the colon of _describe. */
static void put_text(const char *text, FILE *out)
{
	for (; *text != '\0'; text++) {
		if (strchr("[]:\\", *text) != NULL)
			fputc('\\', out);
		if (*text == '\'')
			fputs("'\\''", out);
		else
			fputc(*text, out);
	}
}

/* "host %m": an action of _arguments. */
static void put_action(const char *words, FILE *out)
{
	const char *list = strchr(words, '%');
	size_t n = list != NULL ? (size_t)(list - words) : strlen(words);

	if (list == NULL) {
		fputc('(', out);
		for (size_t i = 0; i < n; i++)
			fputc(words[i] == '|' ? ' ' : words[i], out);
		fputc(')', out);
		return;
	}
	fputs("{ ", out);
	if (n > 0)
		fprintf(out, "compadd -- %.*s; ", (int)n, words);
	fputs(strncmp(list, MS_HELP_COMPLETE_MACHINES, 2) == 0 ? "_memspy_machines"
	      : strncmp(list, MS_HELP_COMPLETE_DATA, 2) == 0   ? "_memspy_names fullname"
	      : strncmp(list, MS_HELP_COMPLETE_CODE, 2) == 0   ? "_memspy_names code"
	      : strncmp(list, MS_HELP_COMPLETE_RUNS, 2) == 0
		      ? "_memspy_runs"
		      : "_describe -t commands command commands",
	      out);
	fputs(" }", out);
}

static void put_value(const struct ms_opt *row, FILE *out)
{
	const char *words = ms_help_complete_value(row);

	fputc(':', out);
	put_text(row->value != NULL ? row->value : "value", out);
	fputc(':', out);
	if (words == NULL)
		fputs("_files", out);
	else if (words[0] != '\0')
		put_action(words, out);
	else
		fputc(' ', out);
}

/* '(-n --top)'{-n+,--top=}'[help]:N: ' */
static void put_option(const struct ms_opt *row, FILE *out)
{
	bool flag = row->kind == MS_OPT_FLAG;

	fputs(" \\\n\t\t\t", out);
	if (row->kind == MS_OPT_LIST)
		fputs("'*'", out);
	else if (row->letter != 0)
		fprintf(out, "'(-%c --%s)'", row->letter, row->name);
	if (row->letter != 0)
		fprintf(out, "{-%c%s,--%s%s}'[", row->letter, flag ? "" : "+", row->name,
			flag ? "" : "=");
	else
		fprintf(out, "'--%s%s[", row->name, flag ? "" : "=");
	put_text(row->brief, out);
	fputc(']', out);
	if (!flag)
		put_value(row, out);
	fputc('\'', out);
}

static void put_words(const struct ms_cli_command *cmd, FILE *out)
{
	const char *words = ms_help_complete_words(cmd);

	fputs(" \\\n\t\t\t", out);
	if (cmd->options.stop_at_word) {
		fputs("'(-)1:program:_command_names -e' '*::argument:_normal'\n", out);
		return;
	}
	fputs("'*:argument:", out);
	if (words != NULL)
		put_action(words, out);
	else
		fputs("_files", out);
	fputs("'\n", out);
}

static void put_command(const struct ms_cli_command *cmd, FILE *out)
{
	struct ms_help_options rows = { .set = &cmd->options };
	const struct ms_opt *row;

	fprintf(out, "\t%s)\n\t\t_arguments -s -S", cmd->name);
	while ((row = ms_cli_next_option(&rows)) != NULL)
		put_option(row, out);
	put_words(cmd, out);
	fputs("\t\t;;\n", out);
}

void ms_help_zsh_completion(FILE *out)
{
	fputs(head, out);
	fputs("_memspy() {\n\tlocal -a commands\n\tcommands=(\n", out);
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++) {
		fprintf(out, "\t\t'%s:", ms_cli_commands[i]->name);
		put_text(ms_cli_commands[i]->brief, out);
		fputs("'\n", out);
	}
	fputs("\t)\n"
	      "\tif (( CURRENT == 2 )); then\n"
	      "\t\t_describe -t commands command commands\n"
	      "\t\tcompadd -- --help --version\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tshift words\n"
	      "\t(( CURRENT-- ))\n"
	      "\tcase $words[1] in\n",
	      out);
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++)
		put_command(ms_cli_commands[i], out);
	fputs(tail, out);
}
