/* cli/help/bash_completion.c - completion for bash, from the same tables as --help. */
#include "cli/help/completion.h"

#include <string.h>

#include "cli/help/help.h"
#include "views/export/formats.h"

#define WORD(name, has_views, has_metric, description) #name " "

/* Words of a command, where it has some of its own. */
static const struct {
	const char *command;
	const char *words;
} word_lists[] = {
	{ "help", MS_HELP_COMPLETE_COMMANDS },
	{ "machine", "host list check show " MS_HELP_COMPLETE_MACHINES },
	{ "runs", "delete prune merge export import upgrade " MS_HELP_COMPLETE_RUNS },
	{ "export", MS_EXPORT_FORMATS(WORD) MS_HELP_COMPLETE_RUNS },
};

/* What the value of an option may be, by the name that help gives the value. */
static const struct {
	const char *value;
	const char *words;
} value_lists[] = {
	{ "MACHINE", "host " MS_HELP_COMPLETE_MACHINES },
	{ "RATIO|auto", "auto" },
	{ "HOW", "size|thread|field|caller=" },
};

/* Whether the usage of a command names runs. */
static bool takes_runs(const struct ms_cli_command *cmd)
{
	return strstr(cmd->usage, "RUN") != NULL || strstr(cmd->usage, "BEFORE") != NULL ||
	       strstr(cmd->usage, "SAMPLED") != NULL;
}

const char *ms_help_complete_words(const struct ms_cli_command *cmd)
{
	for (size_t i = 0; i < MS_COUNT(word_lists); i++)
		if (strcmp(word_lists[i].command, cmd->name) == 0)
			return word_lists[i].words;
	return takes_runs(cmd) ? MS_HELP_COMPLETE_RUNS : NULL;
}

/* Whether the value of an option is a name of that kind: DATA, or NAME of --data. */
static bool names(const struct ms_opt *row, const char *value, const char *name)
{
	return row->value != NULL && row->name != NULL &&
	       (strcmp(row->value, value) == 0 ||
		(strcmp(row->value, "NAME") == 0 && strcmp(row->name, name) == 0));
}

const char *ms_help_complete_value(const struct ms_opt *row)
{
	if (row->choices != NULL)
		return row->choices;
	if (names(row, "DATA", "data"))
		return MS_HELP_COMPLETE_DATA;
	if (names(row, "CODE", "code"))
		return MS_HELP_COMPLETE_CODE;
	for (size_t i = 0; row->value != NULL && i < MS_COUNT(value_lists); i++)
		if (strcmp(value_lists[i].value, row->value) == 0)
			return value_lists[i].words;
	return row->value == NULL || strstr(row->value, "FILE") != NULL ||
			       strcmp(row->value, "DIR") == 0
		       ? NULL
		       : "";
}

/* What stands for a list that only a running memspy knows. */
static const struct {
	const char *mark;
	const char *call;
} bash_calls[] = {
	{ MS_HELP_COMPLETE_COMMANDS, "$commands" },
	{ MS_HELP_COMPLETE_MACHINES, "$(_memspy_machines)" },
	{ MS_HELP_COMPLETE_RUNS, "$(_memspy_runs)" },
};

/* "auto|always" and "host %m": words with blanks between them, as bash expands them. */
static void put_words(const char *words, FILE *out)
{
	for (; *words != '\0'; words++) {
		const char *call = NULL;

		for (size_t i = 0; i < MS_COUNT(bash_calls); i++)
			if (strncmp(words, bash_calls[i].mark, strlen(bash_calls[i].mark)) == 0)
				call = bash_calls[i].call;
		if (call != NULL)
			fputs(call, out), words++;
		else
			fputc(*words == '|' ? ' ' : *words, out);
	}
}

static const char head[] =
	"# bash completion for memspy; written by `memspy help --completion bash`.\n"
	"_memspy_machines()\n"
	"{\n"
	"\tmemspy machine list --csv 2>/dev/null | { read -r _; while IFS=, read -r name _; do "
	"echo \"$name\"; done; }\n"
	"}\n"
	"\n"
	"_memspy_runs()\n"
	"{\n"
	"\techo @latest\n"
	"\tmemspy runs --csv 2>/dev/null | { read -r _; while IFS=, read -r id tag _; do "
	"[[ $id =~ ^[0-9]+$ ]] && echo \"@$id ${tag:+@$tag}\"; done; }\n"
	"}\n"
	"\n"
	"# Names of data (fullname) and code may hold blanks, quotes and patterns.\n"
	"_memspy_names()\n"
	"{\n"
	"\tlocal name\n"
	"\twhile IFS= read -r name; do\n"
	"\t\tcase $name in\n"
	"\t\t\\\"*) name=${name#\\\"} name=${name%%\\\",*} name=${name//\\\"\\\"/\\\"} ;;\n"
	"\t\t*) name=${name%%,*} ;;\n"
	"\t\tesac\n"
	"\t\t[[ $name == \"$2\"* ]] && COMPREPLY+=(\"$name\")\n"
	"\tdone < <(memspy $1 --csv 2>/dev/null | tail -n +2 | sed -E "
	"'s/" MS_HELP_COMPLETE_FIGURES "//')\n"
	"}\n"
	"\n"
	"_memspy()\n"
	"{\n"
	"\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tlocal command=${COMP_WORDS[1]} options= valued= wraps= words= none= commands i\n";

static const char tail[] =
	"\tif ((COMP_CWORD == 1)); then\n"
	"\t\tCOMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$cur\"))\n"
	"\t\treturn\n"
	"\tfi\n"
	"\tif [[ -n $wraps ]]; then\n"
	"\t\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
	"\t\t\tcase ${COMP_WORDS[i]} in\n"
	"\t\t\t--) ((i++)); break ;;\n"
	"\t\t\t-*) [[ $valued == *\" ${COMP_WORDS[i]} \"* ]] && ((i++)) ;;\n"
	"\t\t\t*) break ;;\n"
	"\t\t\tesac\n"
	"\t\tdone\n"
	"\t\tif ((i < COMP_CWORD)) && declare -F _command_offset >/dev/null; then\n"
	"\t\t\t_command_offset $i\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\t\tif ((i == COMP_CWORD)) && [[ $cur != -* ]]; then\n"
	"\t\t\tCOMPREPLY=($(compgen -c -- \"$cur\") $(compgen -f -- \"$cur\"))\n"
	"\t\t\treturn\n"
	"\t\tfi\n"
	"\tfi\n"
	"\t[[ $cur == = ]] && cur=\n"
	"\t[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
	"\tcase $command,$prev in\n";

static const char end[] = "\t*)\n"
			  "\t\tif [[ $valued == *\" $prev \"* ]]; then\n"
			  "\t\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
			  "\t\t\treturn\n"
			  "\t\tfi\n"
			  "\t\t[[ $cur == -* ]] && words=$options\n"
			  "\t\t;;\n"
			  "\tesac\n"
			  "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
			  "\tif [[ ${#COMPREPLY[@]} -eq 0 && -z $none ]]; then\n"
			  "\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
			  "\tfi\n"
			  "}\n"
			  "complete -o filenames -F _memspy memspy\n";

static void put_names(const struct ms_opt *row, FILE *out)
{
	fprintf(out, "--%s ", row->name);
	if (row->letter != 0)
		fprintf(out, "-%c ", row->letter);
}

/* "run) options='...' valued=' ... ' ;;": what the parser knows, in the shell's words. */
static void put_command(const struct ms_cli_command *cmd, FILE *out)
{
	struct ms_help_options rows = { .set = &cmd->options };
	const struct ms_opt *row;

	fprintf(out, "\t%s)\n\t\toptions='", cmd->name);
	while ((row = ms_cli_next_option(&rows)) != NULL)
		put_names(row, out);
	fputs("'\n\t\tvalued=' ", out);
	rows = (struct ms_help_options){ .set = &cmd->options };
	while ((row = ms_cli_next_option(&rows)) != NULL)
		if (row->kind != MS_OPT_FLAG)
			put_names(row, out);
	fprintf(out, "'\n\t\twraps=%s\n", cmd->options.stop_at_word ? "1" : "");
	if (ms_help_complete_words(cmd) != NULL) {
		fputs("\t\twords=\"", out);
		put_words(ms_help_complete_words(cmd), out);
		fputs("\"\n", out);
	}
	fputs("\t\t;;\n", out);
}

/* A case for each option whose values are known; all others are files. */
static void put_values(const struct ms_cli_command *cmd, FILE *out)
{
	struct ms_help_options rows = { .set = &cmd->options };
	const struct ms_opt *row;

	while ((row = ms_cli_next_option(&rows)) != NULL) {
		const char *words = row->kind != MS_OPT_FLAG ? ms_help_complete_value(row) : NULL;

		if (words == NULL)
			continue;
		fprintf(out, "\t%s,--%s", cmd->name, row->name);
		if (row->letter != 0)
			fprintf(out, "|%s,-%c", cmd->name, row->letter);
		bool data = strcmp(words, MS_HELP_COMPLETE_DATA) == 0;

		if (data || strcmp(words, MS_HELP_COMPLETE_CODE) == 0) {
			fprintf(out, ") _memspy_names %s \"$cur\"; return ;;\n",
				data ? "fullname" : "code");
			continue;
		}
		fputs(") words=\"", out);
		put_words(words, out);
		fputs("\" none=1 ;;\n", out);
	}
}

void ms_help_bash_completion(FILE *out)
{
	fputs(head, out);
	fputs("\tcommands='", out);
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++)
		fprintf(out, "%s%s", i ? " " : "", ms_cli_commands[i]->name);
	fputs("'\n\tCOMPREPLY=()\n\tcase $command in\n", out);
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++)
		put_command(ms_cli_commands[i], out);
	fputs("\tesac\n", out);
	fputs(tail, out);
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++)
		put_values(ms_cli_commands[i], out);
	fputs(end, out);
}
