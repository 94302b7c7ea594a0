/* cli/child_runs.c - links the runs of followed children to their parents; messages about them. */
#include "cli/child_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/describe/describe.h"
#include "base/num.h"
#include "base/text.h"
#include "cli/executed_program.h"
#include "cli/progress.h"
#include "name/run_origin.h"
#include "ranks/ranks.h"

int ms_cli_save_child_run(struct ms_run *run, const struct ms_run *origin,
			  const struct ms_options_focus *focus,
			  const struct ms_options_report *report)
{
	struct ms_store *store = NULL;
	struct ms_err err;

	ms_name_origin_copy(run, origin);
	run->cost = ms_cli_run_cost(run);
	int code = ms_store_open(&store, report->db, MS_STORE_WRITE, &err);
	ms_options_apply_focus(focus, report, store, run);
	if (code == MS_OK)
		code = ms_store_save(store, run, &err);
	ms_store_close(store);
	return code;
}

int ms_cli_merge_children(const char *db, const struct ms_run *run, struct ms_run *merged,
			  struct ms_err *err)
{
	MS_VEC(int64_t) ids = MS_VEC_INIT;
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, db, MS_STORE_WRITE, err));
	*ms_vec_add(&ids) = run->id;
	for (size_t i = 0; i < run->children.n; i++)
		*ms_vec_add(&ids) = run->children.at[i].id;
	int code = ms_ranks_merge_processes(store, ids.at, ids.n, merged, err);

	if (code == MS_OK) {
		code = ms_store_save(store, merged, err);
		if (code != MS_OK)
			ms_run_free(merged);
	}
	ms_store_close(store);
	ms_vec_free(&ids);
	return code;
}

void ms_cli_print_waiting_for_children(void *line)
{
	ms_cli_progress_clear(line);
	fprintf(stderr, "memspy: the program has ended, its children have not: waiting for them "
			"(Ctrl-C ends that)\n");
}

/* Children that were not kept have no number. */
int ms_cli_link_child_runs(struct ms_store *store, const struct ms_run *run, struct ms_err *err)
{
	for (size_t i = 0; i < run->children.n; i++) {
		const struct ms_run_child *c = &run->children.at[i];

		MS_TRY(ms_store_link(store, c->id, c->parent != 0 ? c->parent : run->id,
				     c->relation, err));
	}
	return MS_OK;
}

void ms_cli_print_child_traces(const struct ms_run *run, const char *trace, bool quiet)
{
	if (run->child_traces > 0 && !quiet)
		fprintf(stderr, "memspy: %llu trace%s of them %s kept beside %s: %s.2 ...\n",
			(unsigned long long)run->child_traces, run->child_traces == 1 ? "" : "s",
			run->child_traces == 1 ? "is" : "are", trace, trace);
	if (run->child_traces_failed > 0)
		fprintf(stderr,
			"memspy: of %llu of its children there is no trace, or not the whole\n",
			(unsigned long long)run->child_traces_failed);
}

/* The program's own processor time without memspy, roughly: tracing makes it many times longer. */
static double estimate_own_seconds(const struct ms_run *run, double children)
{
	const double instructions_per_second = 2e9;

	if (run->instructions > 0 || run->hardware.n == 0)
		return (double)run->instructions / instructions_per_second;
	return fmax((double)run->hardware.at[0].cpu_ns / 1e9 - children, 0);
}

/*
 * A few percent of the time, and more than starting a process takes. Where executed programs are
 * not followed (Valgrind), a script does next to nothing itself: there it is enough if its children
 * take longer than it does.
 */
static bool are_children_considerable(const struct ms_run *run, double seconds)
{
	bool is_valgrind = strcmp(run->frontend, "valgrind") == 0; /* until exec, children, too */
	const double least = is_valgrind ? 0.05 : 0.01, least_share = 0.03;
	const double least_unfollowed = 0.001;
	double own = estimate_own_seconds(run, seconds);

	if (seconds >= least && seconds >= least_share * (seconds + own))
		return true;
	return !run->only_execs && seconds >= least_unfollowed && seconds > own;
}

void ms_cli_print_unfollowed_children(const struct ms_run *started, const struct ms_run *shown)
{
	struct ms_text command = MS_TEXT_INIT, programs = MS_TEXT_INIT;
	char seconds[MS_NUM_TEXT];

	if (!are_children_considerable(shown, started->children_seconds))
		return;
	ms_describe_command(&command, started->program, started->argv.at, started->argv.n);
	ms_text_add(&programs, started->program);
	if (shown != started)
		ms_text_addf(&programs, ", or %s in its place,", shown->program);
	fprintf(stderr,
		"memspy: processes that %s started took %s of processor time, and were not "
		"followed; this follows them, too: memspy run --follow-forks %s\n",
		programs.at, ms_format_seconds(started->children_seconds, seconds), command.at);
	ms_text_free(&programs);
	ms_text_free(&command);
}

static void print_not_followed(const struct ms_run *run)
{
	const char *between = ": ";
	uint64_t times = 0;

	for (size_t i = 0; i < run->untraced.n; i++)
		if (run->untraced.at[i].who == MS_WHO_CHILD)
			times += run->untraced.at[i].times;
	if (times == 0)
		return;
	fprintf(stderr, "memspy: %llu of its processes could not be followed, and ran alone",
		(unsigned long long)times);
	for (size_t i = 0; i < run->untraced.n; i++)
		if (run->untraced.at[i].who == MS_WHO_CHILD) {
			fprintf(stderr, "%s%s", between, run->untraced.at[i].reason);
			between = "; ";
		}
	if (run->only_execs && run->hardware.n == 0) {
		struct ms_text command = MS_TEXT_INIT;

		ms_describe_command(&command, run->program, run->argv.at, run->argv.n);
		fprintf(stderr, "; to follow it: memspy run --frontend valgrind --follow-forks %s",
			command.at);
		ms_text_free(&command);
	}
	fputc('\n', stderr);
}

void ms_cli_print_child_runs(const struct ms_run *run, bool suggests_merge, bool quiet)
{
	enum { MANY = 4 }; /* more than one wants to read one by one */

	if (run->children.n > 0 && !run->only_execs && !quiet)
		fprintf(stderr,
			"memspy: %zu run%s of the program's children %s kept too: memspy runs%s\n",
			run->children.n, run->children.n == 1 ? "" : "s",
			run->children.n == 1 ? "is" : "are",
			suggests_merge && run->children.n >= MANY
				? "; memspy run --follow-forks --merge adds all processes up"
				: "");
	if (run->children_windowless > 0 && !run->only_execs)
		fprintf(stderr,
			"memspy: %llu of the program's children %s over before a window opened; "
			"without --sample all are simulated whole\n",
			(unsigned long long)run->children_windowless,
			run->children_windowless == 1 ? "was" : "were");
	print_not_followed(run);
	if (run->not_kept > 0)
		fprintf(stderr, "memspy: %llu run%s of its children could not be kept\n",
			(unsigned long long)run->not_kept, run->not_kept == 1 ? "" : "s");
}
