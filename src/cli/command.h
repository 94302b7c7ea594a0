/*
 * cli/command.h - one command of memspy: a row here, a file commands/<name>.c for the rest.
 *
 * run() gets its own argv (argv[0] is the command's name) and returns memspy's exit status. It
 * prints its own errors through ms_cli_fail(); it never calls exit().
 */
#ifndef MS_CLI_COMMAND_H
#define MS_CLI_COMMAND_H

#include "base/err.h"
#include "base/opt.h"

struct ms_cmd {
	const char *name;
	const char *usage;    /* "report [options] [RUN]" */
	const char *brief;    /* one line for `memspy help` */
	const char *full;     /* paragraphs for the man page and `memspy help NAME` */
	const char *limits;   /* likewise, what does not work; or NULL */
	const char *examples; /* lines "command\texplanation\n", for help and man page; or NULL */
	struct ms_opt_set options;
	int (*run)(int argc, char *const argv[]);
};

/* Exit statuses of memspy itself; `memspy run` otherwise passes the program's through. */
enum {
	MS_EXIT_OK = 0,
	MS_EXIT_FAILURE = 1,
	MS_EXIT_USAGE = 2,
	MS_EXIT_CONDITION = 3, /* memspy diff --fail-if: it is so */
	MS_EXIT_OWN = 125,
	MS_EXIT_NOEXEC = 126,
	MS_EXIT_NOENT = 127
};

extern const struct ms_cmd ms_cmd_run;
extern const struct ms_cmd ms_cmd_sample;
extern const struct ms_cmd ms_cmd_report;
extern const struct ms_cmd ms_cmd_matrix;
extern const struct ms_cmd ms_cmd_data;
extern const struct ms_cmd ms_cmd_code;
extern const struct ms_cmd ms_cmd_show;
extern const struct ms_cmd ms_cmd_lines;
extern const struct ms_cmd ms_cmd_evictions;
extern const struct ms_cmd ms_cmd_sharing;
extern const struct ms_cmd ms_cmd_pmu;
extern const struct ms_cmd ms_cmd_accuracy;
extern const struct ms_cmd ms_cmd_compare_sources;
extern const struct ms_cmd ms_cmd_threads;
extern const struct ms_cmd ms_cmd_shell;
extern const struct ms_cmd ms_cmd_fullname;
extern const struct ms_cmd ms_cmd_rename;
extern const struct ms_cmd ms_cmd_combine;
extern const struct ms_cmd ms_cmd_split;
extern const struct ms_cmd ms_cmd_hide;
extern const struct ms_cmd ms_cmd_rules;
extern const struct ms_cmd ms_cmd_html;
extern const struct ms_cmd ms_cmd_serve;
extern const struct ms_cmd ms_cmd_runs;
extern const struct ms_cmd ms_cmd_diff;
extern const struct ms_cmd ms_cmd_export;
extern const struct ms_cmd ms_cmd_note;
extern const struct ms_cmd ms_cmd_tag;
extern const struct ms_cmd ms_cmd_replay;
extern const struct ms_cmd ms_cmd_check;
extern const struct ms_cmd ms_cmd_machine;
extern const struct ms_cmd ms_cmd_doctor;

/* Prints "memspy: <sentence>" (and where to find help on MS_EUSAGE) and returns the exit status. */
int ms_cli_fail(const struct ms_err *err);
/* Prints the help of a command; returns MS_EXIT_OK. */
int ms_cli_help(const struct ms_cmd *cmd);
/* Parses the command's options; true when the command has nothing left to do (--help, or an error:
 * *status holds the exit status). Every command understands --help. */
bool ms_cli_options(const struct ms_cmd *cmd, int argc, char *const argv[], void *into,
		    struct ms_words *rest, int *status);
/* From now on this signal (SIGPIPE, SIGXFSZ) does not end memspy: the write fails, and is told. */
void ms_cli_outlive(int number);
/* Whether a run may be called so (NULL: not at all): @3 and @latest are taken. */
int ms_cli_check_tag(const char *tag, struct ms_err *err);
/* Folder of presets, front-ends: beside the executable in a build tree, else under the prefix. */
const char *ms_cli_machines_dir(void);
const char *ms_cli_frontends_dir(void);

#endif
