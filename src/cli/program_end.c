#include "cli/program_end.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/child_runs.h"
#include "cli/command.h"
#include "cli/load_run.h"

void ms_cli_warn(const struct ms_err *err)
{
	fprintf(stderr, "memspy: %s\n", err->text);
}

/* --quiet omits a report that no option asks for. */
static bool is_asked_for(const struct ms_options_report *report)
{
	return report->output != NULL || report->json || report->csv;
}

int ms_cli_check_store(const struct ms_options_report *report, bool quiet, struct ms_store **store,
		       struct ms_err *err)
{
	*store = NULL;
	MS_TRY(ms_options_check_output(report, err));
	int code = ms_store_open(store, report->db, MS_STORE_WRITE, err);

	if (code == MS_OK || (quiet && !is_asked_for(report)))
		return code;
	ms_cli_warn(err);
	fprintf(stderr,
		"memspy: this run will be reported, but not kept (--db FILE names another)\n");
	return MS_OK;
}

int ms_cli_print_run(const struct ms_options_report *report, bool quiet,
		     struct ms_cli_late_close *kept, struct ms_run *run, struct ms_err *err)
{
	/* What programs read is on standard output, once the program has ended. */
	FILE *out = report->json || report->csv ? stdout : stderr;

	if (quiet && !is_asked_for(report))
		return MS_OK;
	if (report->output != NULL)
		MS_TRY(ms_options_open_output(report, &out, err));
	if (kept->store != NULL)
		ms_cli_apply_rules_of(report, kept->store, run);
	else
		ms_cli_apply_rules(report, run);
	ms_cli_late_close_begin(kept);
	int code = ms_options_print_report(run, report, out, err);
	if (report->output != NULL)
		code = ms_options_close_output(report, out, code, err);
	return code;
}

int ms_cli_end_as(const struct ms_run *run)
{
	const struct rlimit no_core = { 0, 0 };

	if (run->end == MS_END_EXITED)
		return run->exit_status;
	if (run->end == MS_END_LOST) /* without a failure: it was left, and may run on */
		return run->failure != NULL ? MS_CLI_EXIT_OWN : MS_CLI_EXIT_OK;
	fflush(NULL);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(run->exit_status, SIG_DFL);
	raise(run->exit_status);
	return 128 + run->exit_status;
}

/*
 * Valgrind's own words (an instruction or system call that it does not know), a line each without
 * its
 * "==123== ". What it says of a crash, memspy says itself; an illegal instruction may be
 * Valgrind's.
 */
static void print_messages(const struct ms_run *run)
{
	const char *text = run->messages;

	if ((run->end == MS_END_SIGNALED || run->end == MS_END_INTERRUPTED) &&
	    run->exit_status != SIGILL)
		return;
	while (text != NULL && *text != '\0') {
		const char *mark = strncmp(text, "==", 2) == 0 ? strstr(text + 2, "== ") : NULL;
		const char *line = mark != NULL ? mark + 3 : text;
		int n = (int)strcspn(line, "\n");

		/* Messages of memspy's tool begin with "memspy: " already. */
		if (n > 0)
			fprintf(stderr, "%s%.*s\n",
				strncmp(line, "memspy: ", 8) == 0 ? "" : "memspy: valgrind: ", n,
				line);
		text = line + n + (line[n] == '\n');
	}
}

static void print_unread(const char *line)
{
	while (line != NULL && *line != '\0') {
		int n = (int)strcspn(line, "\n");

		fprintf(stderr, "memspy: %.*s\n", n, line);
		line += n + (line[n] == '\n');
	}
}

void ms_cli_report_end(const struct ms_run *run)
{
	const char *kept = run->id != 0 ? "kept" : "reported, but not kept";

	print_messages(run);
	print_unread(run->unread);
	if (run->end == MS_END_SIGNALED)
		fprintf(stderr,
			"memspy: %s was killed by signal %d (%s); what it did until then is %s\n",
			run->program, run->exit_status, strsignal(run->exit_status), kept);
	else if (run->end == MS_END_INTERRUPTED)
		fprintf(stderr, "memspy: %s was interrupted; what it did until then is %s\n",
			run->program, kept);
	else if (run->end == MS_END_LOST && run->failure != NULL)
		fprintf(stderr, "memspy: the run ends early: %s\n", run->failure);
	if (run->became_another)
		fprintf(stderr,
			"memspy: %s has replaced itself by another program (exec), which was not "
			"followed: run that one with memspy, or all with memspy run "
			"--follow-forks\n",
			run->program);
	ms_cli_print_unfollowed_children(run, run);
	if (run->trace_failure != NULL)
		fprintf(stderr, "memspy: %s; the trace is not whole\n", run->trace_failure);
	else if (run->trace_limited)
		fprintf(stderr, "memspy: the trace holds only the beginning (--trace-limit)\n");
}
