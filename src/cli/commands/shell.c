/* cli/commands/shell.c - memspy shell: look, regroup, look again. */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_priv.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/options/report.h"
#include "cli/shell/shell.h"

struct shell_command {
	struct ms_options_report report;
};

static const struct ms_opt shell_rows[] = {
	MS_OPTIONS_DB_ROW(struct shell_command, report),
	MS_OPTIONS_RULES_ROW(struct shell_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const shell_tables[] = { shell_rows, NULL };

/* Passes options of the shell to its commands, which read them from the environment. */
static void share_options(const struct shell_command *c)
{
	setenv("MEMSPY_DB", c->report.db, 1);
	if (c->report.rules != NULL)
		setenv("MEMSPY_RULES", c->report.rules, 1);
}

/* The totals and the matrix: where a session begins. */
static void begin(struct ms_shell *shell)
{
	char *argv[] = { (char *)(uintptr_t) "report", NULL };
	bool paging = shell->paging;

	printf("memspy %s. help lists the verbs, Tab completes, Ctrl-D leaves.\n\n", MS_VERSION);
	if (shell->run[0] == '\0')
		return;
	shell->paging = false;
	ms_shell_run(shell, ms_cli_find("report"), 1, argv);
	shell->paging = paging;
}

/* A script, or a terminal that cannot be edited on. */
static void read_lines(struct ms_shell *shell)
{
	char *line = NULL;
	size_t room = 0;

	while (!shell->leaving) {
		if (shell->interactive) {
			printf("memspy%s%s> ", shell->run[0] != '\0' ? " " : "", shell->run);
			fflush(stdout);
		}
		errno = 0;
		if (getline(&line, &room, stdin) < 0) {
			if (errno != EINTR)
				break;
			clearerr(stdin);
			fputc('\n', stdout);
			continue;
		}
		ms_shell_line(shell, line);
		fflush(stdout); /* before errors of the next line */
	}
	free(line);
}

static void ignore(int number)
{
	(void)number;
}

/* SIGINT is caught, not ignored, so that it ends the reading of a line. Commands get the default
 * action. */
static void outlive_interrupts(void)
{
	struct sigaction catching = { .sa_handler = ignore };

	sigemptyset(&catching.sa_mask);
	sigaction(SIGINT, &catching, NULL);
	signal(SIGQUIT, SIG_IGN);
	ms_cli_outlive(SIGPIPE);
}

static void converse(struct ms_shell *shell)
{
	const char *term = getenv("TERM");
	bool plain = term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0;

	shell->interactive = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	shell->paging = shell->interactive && !plain;
	if (!shell->interactive) {
		read_lines(shell);
		return;
	}
	outlive_interrupts();
	setlocale(LC_CTYPE, "");
	begin(shell);
	(plain ? read_lines : ms_shell_edit)(shell);
	if (!shell->leaving)
		fputc('\n', stdout);
	shell->status = MS_CLI_EXIT_OK; /* the user has seen the error */
}

/* A missing database is not an error: `run` creates it. */
static int open_first(struct ms_shell *shell, const struct ms_words *words, struct ms_err *err)
{
	if (words->at.n > 1)
		return ms_fail(err, MS_EUSAGE,
			       "unexpected argument '%s'; only one run can be named",
			       words->at.at[1]);
	int code = ms_shell_open(shell, words->at.n > 0 ? words->at.at[0] : NULL, err);
	return code == MS_ENOENT && words->at.n == 0 ? MS_OK : code;
}

static int run_shell(int argc, char *const argv[])
{
	struct shell_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_shell shell = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_shell, argc, argv, &command, &words, &status))
		return status;
	shell.db = command.report.db;
	share_options(&command);
	if (open_first(&shell, &words, &err) != MS_OK) {
		status = ms_cli_fail(&err);
	} else {
		converse(&shell);
		status = shell.status;
	}
	ms_shell_forget(&shell);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_shell = {
	.name = "shell",
	.usage = "shell [options] [RUN]",
	.brief = "look at a run step by step, with verbs for everything",
	.full = "Opens a run and reads verbs: all commands of memspy (matrix, data, code, show, "
		"lines, evictions, sharing, threads, rename, combine, split, hide, runs, ...), "
		"which mean the open run unless they name another; open, for another run; sort, "
		"top, latency and cost, which hold until they are changed; help. Data and code are "
		"named by any part that only one name has, verbs may be cut short. Tab completes "
		"verbs, options, data, code, files and runs; lines that were typed are kept "
		"(MEMSPY_HISTORY names the file, none keeps none); what is longer than the screen "
		"goes through MEMSPY_PAGER, PAGER or less. Ctrl-C stops a listing, not the "
		"shell.\n\n"
		"Where standard input is not a terminal, it is a script: a verb a line, # begins a "
		"comment. The exit status is that of the last verb that failed.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy shell\tabout the latest run\n"
		    "echo 'show Y BlkMultiply' | memspy shell @3\ta script\n",
	.options = { shell_tables, false },
	.run = run_shell,
};
