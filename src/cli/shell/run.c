/*
 * cli/shell/run.c - a command in a process of its own. What it writes to a terminal is held back
 * until it has ended or is more than the screen holds; then a pager gets it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/load_run.h"
#include "cli/options/report.h"
#include "cli/shell/shell.h"

enum { ROWS = 24, COLUMNS = 80, INTERRUPTED = 130 };

static struct winsize screen(void)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0)
		size.ws_row = ROWS;
	if (size.ws_col == 0)
		size.ws_col = COLUMNS;
	return size;
}

/* A pipe is no terminal: the environment says what terminal is at its end. */
static void set_terminal_variables(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
	char width[16];

	snprintf(width, sizeof(width), "%u", screen().ws_col < 20 ? 20 : screen().ws_col);
	setenv("MEMSPY_WIDTH", width, 0);
	if ((no == NULL || no[0] == '\0') && term != NULL && strcmp(term, "dumb") != 0)
		setenv("MEMSPY_COLOR", "always", 0);
}

static int run_here(const struct ms_cli_command *cmd, int argc, char *const argv[])
{
	struct ms_err err;
	int status = cmd->run(argc, argv);

	if (status == MS_CLI_EXIT_OK &&
	    ms_options_flush_output("standard output", stdout, &err) != MS_OK)
		status = ms_cli_fail(&err);
	return status;
}

/*
 * Lines that are still to come are the shell's, not those of a program that it runs. stdio must not
 * touch the script: closing or flushing it would move the place in the file that the shell reads
 * at.
 */
static void leave_script(void)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
		close(STDIN_FILENO);
	if (nothing > STDIN_FILENO)
		close(nothing);
}

static void begin_child(const struct ms_shell *shell, int out)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	if (out >= 0) {
		set_terminal_variables();
		dup2(out, STDOUT_FILENO);
		close(out);
	}
	if (!shell->interactive)
		leave_script();
}

/* --- what the command writes --- */

struct page {
	struct ms_text text; /* not shown yet */
	FILE *pager;
	bool direct; /* no pager could be started */
};

static const char *pager_command(void)
{
	const char *pager = getenv("MEMSPY_PAGER");

	if (pager == NULL)
		pager = getenv("PAGER");
	return pager != NULL ? pager : "less -FRX";
}

static size_t lines_of(const struct ms_text *text)
{
	size_t lines = 0;

	for (const char *p = ms_text_get(text); (p = strchr(p, '\n')) != NULL; p++)
		lines++;
	return lines;
}

static void write_out(struct page *page)
{
	FILE *to = page->pager != NULL ? page->pager : stdout;

	fwrite(ms_text_get(&page->text), 1, page->text.n, to);
	fflush(to);
	ms_text_clear(&page->text);
}

static void look(struct page *page)
{
	if (page->pager == NULL && !page->direct) {
		if (lines_of(&page->text) < screen().ws_row)
			return;
		if (pager_command()[0] != '\0' && strcmp(pager_command(), "cat") != 0)
			page->pager = popen(pager_command(), "we");
		page->direct = page->pager == NULL;
	}
	write_out(page);
}

static void page_all(int from)
{
	struct page page = { MS_TEXT_INIT, NULL, false };
	char part[4096];
	ssize_t n;

	while ((n = read(from, part, sizeof(part))) > 0 || (n < 0 && errno == EINTR)) {
		if (n < 0)
			continue;
		ms_text_add_n(&page.text, part, (size_t)n);
		look(&page);
		if (page.pager != NULL && ferror(page.pager))
			break; /* its user has seen enough */
	}
	write_out(&page);
	if (page.pager != NULL)
		pclose(page.pager);
	ms_text_free(&page.text);
}

static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return MS_CLI_EXIT_FAILURE;
	if (WIFSIGNALED(status)) {
		if (WTERMSIG(status) == SIGINT)
			fputc('\n', stdout);
		else if (WTERMSIG(status) != SIGPIPE)
			fprintf(stderr, "memspy: ended by signal %d (%s)\n", WTERMSIG(status),
				strsignal(WTERMSIG(status)));
		return WTERMSIG(status) == SIGPIPE ? MS_CLI_EXIT_OK : INTERRUPTED;
	}
	return WEXITSTATUS(status);
}

static int fail(const char *what)
{
	struct ms_err err;

	ms_fail_errno(&err, "could not %s", what);
	return ms_cli_fail(&err);
}

int ms_shell_run(struct ms_shell *shell, const struct ms_cli_command *cmd, int argc,
		 char *const argv[])
{
	/* Commands that run a program do not page its output. */
	bool paging = shell->paging && !cmd->options.stop_at_word;
	int ends[2] = { -1, -1 };

	fflush(NULL);
	if (paging && pipe(ends) != 0)
		return fail("make a pipe");
	pid_t child = fork();
	if (child == 0) {
		if (ends[0] >= 0)
			close(ends[0]);
		begin_child(shell, ends[1]);
		int status = run_here(cmd, argc, argv);
		fflush(NULL);
		_exit(status);
	}
	if (ends[1] >= 0)
		close(ends[1]);
	if (child < 0) {
		if (ends[0] >= 0)
			close(ends[0]);
		return fail("start a process");
	}
	if (ends[0] >= 0) {
		page_all(ends[0]);
		close(ends[0]);
	}
	return wait_for(child);
}
