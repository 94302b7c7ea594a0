/* cli/commands/diff.c - memspy diff: what changed from some runs to others. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/diff/diff.h"
#include "analysis/diff/fail_if.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/options/report.h"
#include "views/diff.h"

struct diff_command {
	struct ms_options_report report;
	const char *by;
	const char *metric;
	const char *base_db;
	struct ms_opt_list fail_if;
	bool quiet;
};

static const struct ms_opt diff_rows[] = {
	{ .kind = MS_OPT_WORD,
	  .name = "by",
	  .value = "WHAT",
	  .offset = offsetof(struct diff_command, by),
	  .choices = "all|bin|data|code|line|cause",
	  .brief = "list by bin, data, code, line or cause (default: all)",
	  .full = "all shows the totals, the bins and lines that have changed the most, and the "
		  "causes of the misses of the first of these bins." },
	{ .kind = MS_OPT_TEXT,
	  .name = "metric",
	  .value = "KEY",
	  .offset = offsetof(struct diff_command, metric),
	  .brief = "what to compare: stall, cycles, compute, references, L1_misses ...",
	  .full = "Default: memory stall cycles. JSON holds all of them." },
	{ .kind = MS_OPT_LIST,
	  .name = "fail-if",
	  .value = "CONDITION",
	  .offset = offsetof(struct diff_command, fail_if),
	  .brief = "exit with 3 if 'stall > +5%' or another condition holds (repeatable)",
	  .full = "METRIC [of DATA] [in CODE] and a limit: 'stall > +5%' is a rise by more than "
		  "five per cent, 'L1_misses > +1M' by more than a million, 'cycles > 2G' what "
		  "it comes to after the change, 'stall of Y in multiply > 0%' any rise in "
		  "one bin. <, <= and >= work as well. A change within the noise meets no "
		  "limit with a sign or a per cent. Exit status 3 means that a condition was "
		  "met; standard error says which." },
	{ .kind = MS_OPT_TEXT,
	  .name = "base-db",
	  .value = "FILE",
	  .offset = offsetof(struct diff_command, base_db),
	  .brief = "the run database that BEFORE is in (default: that of --db)" },
	{ .kind = MS_OPT_FLAG,
	  .letter = 'q',
	  .name = "quiet",
	  .offset = offsetof(struct diff_command, quiet),
	  .brief = "show nothing: only the exit status, and what --fail-if found" },
	{ .kind = MS_OPT_TEXT,
	  .name = "latency",
	  .value = "NAME=CYCLES,...",
	  .offset = offsetof(struct diff_command, report.latency),
	  .brief = "other latencies than the runs': L2=12,L3=40,memory=200",
	  .full = "Where the two sides ran on different machines, the same latencies for both "
		  "separate misses from their cost." },
	MS_OPTIONS_COST_ROW(struct diff_command, report),
	{ .kind = MS_OPT_REAL,
	  .name = "threshold",
	  .value = "PERCENT",
	  .offset = offsetof(struct diff_command, report.threshold),
	  .min = 0,
	  .max = 100,
	  .brief = "leave smaller shares of the change to the rest (default: 0.1)" },
	MS_OPTIONS_DB_ROW(struct diff_command, report),
	MS_OPTIONS_RULES_ROW(struct diff_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct diff_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct diff_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const diff_tables[] = { diff_rows, NULL };

/* The runs of a side, loaded; the pointers are what analysis takes. */
struct side {
	MS_VEC(struct ms_run) runs;
	MS_VEC(const struct ms_run *) at;
};

static void free_side(struct side *side)
{
	for (size_t i = 0; i < side->runs.n; i++)
		ms_run_free(&side->runs.at[i]);
	ms_vec_free(&side->runs);
	ms_vec_free(&side->at);
}

static int find_runs(const char *db, const char *names, struct ms_store_run_ids *ids,
		     struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, db, MS_STORE_READ, err));
	int code = ms_store_find_set(store, names, ids, err);
	ms_store_close(store);
	return code;
}

static bool holds(const struct side *side, int64_t id)
{
	for (size_t i = 0; i < side->runs.n; i++)
		if (side->runs.at[i].id == id)
			return true;
	return false;
}

/*
 * A program and its children (--follow-forks) have one tag, and often one name. They are no
 * repetitions of each other: a mean of them is of nothing, and what they differ by is no noise.
 */
static void leave_children_out(struct side *side, const char *names, bool quiet)
{
	struct ms_text left = MS_TEXT_INIT;

	for (size_t i = 0; i < side->runs.n; i++) {
		const struct ms_run *run = &side->runs.at[i];

		if (run->parent == 0 || !holds(side, run->parent))
			*ms_vec_add(&side->at) = run;
		else
			ms_text_addf(&left, "%s@%" PRId64, left.n > 0 ? ", " : "", run->id);
	}
	if (left.n > 0 && !quiet)
		fprintf(stderr,
			"memspy: %s: compares the program, not its children (%s); name one of them "
			"to compare it\n",
			names, left.at);
	ms_text_free(&left);
}

static int load_side(const struct ms_options_report *opts, const char *names, struct side *side,
		     struct ms_err *err)
{
	struct ms_store_run_ids ids;
	int code = MS_OK;

	MS_TRY(find_runs(opts->db, names, &ids, err));
	ms_vec_reserve(&side->runs, ids.at.n);
	for (size_t i = 0; i < ids.at.n && code == MS_OK; i++) {
		char name[32];

		snprintf(name, sizeof(name), "@%" PRId64, ids.at.at[i]);
		code = ms_cli_load(opts, name, &side->runs.at[i], err);
		side->runs.n += code == MS_OK;
	}
	ms_vec_free(&ids.at);
	return code;
}

/* Alike, but for data that a condition names. */
static void group(const struct diff_command *c, struct ms_run *const *runs, size_t n)
{
	struct ms_options_report options = c->report;
	struct ms_arena arena = MS_ARENA_INIT;
	struct ms_text name = MS_TEXT_INIT;
	struct ms_opt_list asked = { 0 };

	for (size_t i = 0; i < c->fail_if.words.n; i++) {
		ms_text_clear(&name);
		ms_diff_fail_if_data(&name, c->fail_if.words.at[i]);
		if (name.n > 0)
			*ms_vec_add(&asked.words) = ms_arena_strdup(&arena, name.at);
	}
	options.asked_data[0] = &asked;
	ms_cli_group(&options, runs, n);
	ms_vec_free(&asked.words);
	ms_text_free(&name);
	ms_arena_free(&arena);
}

/* What is done to all runs at once. */
static void prepare(const struct diff_command *c, struct side sides[2])
{
	MS_VEC(struct ms_run *) runs = MS_VEC_INIT;

	for (unsigned s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s].runs.n; i++)
			*ms_vec_add(&runs) = &sides[s].runs.at[i];
	ms_diff_match_times(runs.at, runs.n);
	group(c, runs.at, runs.n);
	ms_vec_free(&runs);
}

static struct ms_views_diff_list view_of(const char *by)
{
	static const char *const words[] = { [MS_DIFF_BIN] = "bin",
					     [MS_DIFF_DATA] = "data",
					     [MS_DIFF_CODE] = "code",
					     [MS_DIFF_LINE] = "line" };
	struct ms_views_diff_list view = { .all = by == NULL || strcmp(by, "all") == 0,
					   .cause = by != NULL && strcmp(by, "cause") == 0 };

	for (size_t i = 0; by != NULL && i < MS_COUNT(words); i++)
		if (strcmp(by, words[i]) == 0)
			view.by = (enum ms_diff_list_kind)i;
	return view;
}

static int print(const struct diff_command *c, const struct ms_diff *diff, struct ms_err *err)
{
	const struct ms_views_diff_list what = view_of(c->by);
	enum ms_views_format format;
	struct ms_views_options options;
	FILE *out;

	if (c->quiet && c->report.output == NULL)
		return MS_OK;
	MS_TRY(ms_options_open_output(&c->report, &out, err));
	int code = ms_options_read_view(&c->report, out, &format, &options, err);
	if (code == MS_OK)
		ms_views_diff_writers[format](diff, &what, &options, out);
	return ms_options_close_output(&c->report, out, code, err);
}

/* Before anything is shown: whether each condition is one. */
static int check_conditions(const struct diff_command *c, const struct ms_diff *diff,
			    struct ms_err *err)
{
	for (size_t i = 0; i < c->fail_if.words.n; i++) {
		struct ms_text why = MS_TEXT_INIT;
		bool holds;
		int code = ms_diff_fail_if(diff, c->fail_if.words.at[i], &holds, &why, err);

		ms_text_free(&why);
		MS_TRY(code);
	}
	return MS_OK;
}

static int judge(const struct diff_command *c, const struct ms_diff *diff, int *status,
		 struct ms_err *err)
{
	for (size_t i = 0; i < c->fail_if.words.n; i++) {
		struct ms_text why = MS_TEXT_INIT;
		bool holds;
		int code = ms_diff_fail_if(diff, c->fail_if.words.at[i], &holds, &why, err);

		if (code == MS_OK && holds) {
			fprintf(stderr, "memspy: failed: %s\n", why.at);
			*status = MS_CLI_EXIT_CONDITION;
		}
		ms_text_free(&why);
		MS_TRY(code);
	}
	return MS_OK;
}

static int compare(const struct diff_command *c, const struct side sides[2], int *status,
		   struct ms_err *err)
{
	const struct ms_diff_options options = { c->metric, c->report.latency };
	struct ms_diff diff;

	MS_TRY(ms_diff_make(&diff, (struct ms_diff_side){ sides[0].at.at, sides[0].at.n },
			    (struct ms_diff_side){ sides[1].at.at, sides[1].at.n }, &options, err));
	int code = check_conditions(c, &diff, err);

	if (code == MS_OK)
		code = print(c, &diff, err);
	if (code == MS_OK)
		code = judge(c, &diff, status, err);
	ms_diff_free(&diff);
	return code;
}

static int diff(const struct diff_command *c, const struct ms_words *words, int *status,
		struct ms_err *err)
{
	struct side sides[2] = { { .runs = MS_VEC_INIT }, { .runs = MS_VEC_INIT } };

	if (words->at.n < 1 || words->at.n > 2)
		return ms_fail(err, MS_EUSAGE, "%zu sides, expected memspy diff BEFORE [AFTER]",
			       words->at.n);
	struct ms_options_report after = c->report;

	after.group = "none"; /* both sides are grouped alike, below */
	struct ms_options_report base = after;

	if (c->base_db != NULL)
		base.db = c->base_db;
	const char *names[2] = { words->at.at[0], "@latest" };
	if (words->at.n > 1)
		names[1] = words->at.at[1];
	else if (ms_cli_open_run != NULL)
		names[1] = ms_cli_open_run;
	int code = load_side(&base, names[0], &sides[0], err);
	if (code == MS_OK)
		code = load_side(&after, names[1], &sides[1], err);
	for (unsigned s = 0; s < 2 && code == MS_OK; s++)
		leave_children_out(&sides[s], names[s], c->quiet);
	if (code == MS_OK) {
		prepare(c, sides);
		code = compare(c, sides, status, err);
	}
	free_side(&sides[0]);
	free_side(&sides[1]);
	return code;
}

static int run_diff(int argc, char *const argv[])
{
	struct diff_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (!ms_cli_options(&ms_commands_diff, argc, argv, &command, &words, &status) &&
	    diff(&command, &words, &status, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&command.fail_if.words);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_diff = {
	.name = "diff",
	.usage = "diff [options] BEFORE [AFTER]",
	.brief = "compare runs: what changed, by how much, where and why",
	.full = "Shows what changed from BEFORE to AFTER (the latest run, in the shell the "
		"open one, unless named): in all, "
		"and by "
		"bin, data, code, line and cause, each with its share of the whole change. Data is "
		"known "
		"again by how it was allocated and by its type, lines by the data that they use, "
		"so that the "
		"source may be edited in between; what is found on one side only has appeared or "
		"is gone.\n\n"
		"Either side is one run (@3, a tag) or several: @3..@7, @3,@5, or a tag that "
		"several runs have. Figures are then means, and a change that is smaller than what "
		"runs of one side differ by is shown as noise. Children that --follow-forks has "
		"followed are left out beside the program that they come from; their own runs may "
		"be named.",
	.examples = "memspy diff @1 @2\twhat changed\n"
		    "memspy diff base --by line\tsince the run with this tag, line by line\n"
		    "memspy diff base new --metric L1_misses\truns of two tags\n"
		    "memspy diff base --fail-if 'stall > +5%'\tfor scripts: exit status 3 if so\n",
	.options = { diff_tables, false },
	.run = run_diff,
};
