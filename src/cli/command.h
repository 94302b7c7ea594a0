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

struct ms_cli_command {
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
	MS_CLI_EXIT_OK = 0,
	MS_CLI_EXIT_FAILURE = 1,
	MS_CLI_EXIT_USAGE = 2,
	MS_CLI_EXIT_CONDITION = 3, /* memspy diff --fail-if: it is so */
	MS_CLI_EXIT_OWN = 125,
	MS_CLI_EXIT_NOEXEC = 126,
	MS_CLI_EXIT_NOENT = 127
};

/* Prints "memspy: <sentence>" (and where to find help on MS_EUSAGE) and returns the exit status. */
int ms_cli_fail(const struct ms_err *err);
/* Parses the command's options; true when the command has nothing left to do (--help, or an error:
 * *status holds the exit status). Every command understands --help. */
bool ms_cli_options(const struct ms_cli_command *cmd, int argc, char *const argv[], void *into,
		    struct ms_words *rest, int *status);
/* From now on this signal (SIGPIPE, SIGXFSZ) does not end memspy: the write fails, and the error is
 * reported. */
void ms_cli_outlive(int number);
/* Whether a run may have this tag (NULL: none): @3 and @latest are reserved. */
int ms_cli_check_tag(const char *tag, struct ms_err *err);
/* Folder of presets, front-ends: beside the executable in a build tree, else under the prefix. */
const char *ms_cli_machines_dir(void);
const char *ms_cli_frontends_dir(void);
/* Where `memspy machine --calibrate --save` writes; NULL: the user has no home folder. */
const char *ms_cli_calibration_file(void);
/* Makes the folders of a path that are not there yet, for their owner only. What cannot be made
 * shows when the file is opened. */
void ms_cli_make_folders(const char *path);

#endif
