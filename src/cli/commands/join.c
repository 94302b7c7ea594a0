/* cli/commands/join.c - memspy join: a run of simulated causes and measured time. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/options/report.h"
#include "run/join.h"

struct join_command {
	struct ms_options_report report;
	const char *tag;
	const char *note;
	bool quiet;
};

static const struct ms_opt join_rows[] = {
	{ .kind = MS_OPT_TEXT,
	  .name = "tag",
	  .value = "NAME",
	  .offset = offsetof(struct join_command, tag),
	  .brief = "a name for the joined run: @NAME finds it" },
	{ .kind = MS_OPT_TEXT,
	  .name = "note",
	  .value = "TEXT",
	  .offset = offsetof(struct join_command, note),
	  .brief = "a note for the joined run" },
	{ .kind = MS_OPT_FLAG,
	  .letter = 'q',
	  .name = "quiet",
	  .offset = offsetof(struct join_command, quiet),
	  .brief = "no report; the run is kept" },
	MS_OPTIONS_DB_ROW(struct join_command, report),
	MS_OPTIONS_RULES_ROW(struct join_command, report),
	MS_OPTIONS_REPORT_ROWS(struct join_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct join_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const join_tables[] = { join_rows, NULL };

/* As it is stored: rules are applied when it is shown. */
static int load(struct ms_store *store, const char *name, struct ms_run *run, struct ms_err *err)
{
	int64_t id;

	MS_TRY(ms_store_find(store, name, &id, err));
	return ms_store_load(store, id, run, err);
}

static void warn_other_arguments(const struct ms_run *a, const struct ms_run *b)
{
	bool same = a->argv.n == b->argv.n;

	for (size_t i = 1; same && i < a->argv.n; i++)
		same = strcmp(a->argv.at[i], b->argv.at[i]) == 0;
	if (!same)
		fprintf(stderr, "memspy: the two runs have different arguments: measured time and "
				"simulated causes may not belong together\n");
}

static void warn_few_samples(const struct ms_run *measured)
{
	if (measured->hardware.at[0].samples < MS_RUN_SAMPLES_LEAST)
		fprintf(stderr,
			"memspy: there are too few samples (%llu, expected at least %d): reports "
			"show the estimated time; `memspy sample --overhead 5` takes more\n",
			(unsigned long long)measured->hardware.at[0].samples,
			(int)MS_RUN_SAMPLES_LEAST);
}

static int keep(const struct join_command *c, struct ms_store *store, struct ms_run *run,
		struct ms_err *err)
{
	if (c->tag != NULL)
		run->tag = ms_arena_strdup(&run->arena, c->tag);
	if (c->note != NULL)
		run->note = ms_arena_strdup(&run->arena, c->note);
	return ms_store_save(store, run, err);
}

/* Stored already: as its user wants to see it. */
static int print(const struct join_command *c, struct ms_run *run, struct ms_err *err)
{
	FILE *out;

	if (c->quiet && c->report.output == NULL)
		return MS_OK;
	ms_cli_apply_rules(&c->report, run);
	MS_TRY(ms_options_open_output(&c->report, &out, err));
	int code = ms_options_print_report(run, &c->report, out, err);
	return ms_options_close_output(&c->report, out, code, err);
}

/* Either order is right: one is simulated, the other is not. */
static int join_runs(const struct join_command *c, struct ms_store *store, struct ms_run runs[2],
		     struct ms_run *joined, struct ms_err *err)
{
	unsigned simulated = ms_run_is_measured(&runs[0]) ? 1 : 0;
	struct ms_run *to = &runs[simulated], *from = &runs[1 - simulated];

	MS_TRY(ms_run_check_join(to, from, err));
	warn_other_arguments(to, from);
	warn_few_samples(from);
	ms_run_join(to, from);
	*joined = *to;
	*to = (struct ms_run){ .id = 0 };
	int code = keep(c, store, joined, err);
	if (code != MS_OK)
		ms_run_free(joined);
	return code;
}

static int join_names(const struct join_command *c, struct ms_store *store,
		      const struct ms_words *words, struct ms_run *joined, struct ms_err *err)
{
	struct ms_run runs[2];

	MS_TRY(load(store, words->at.at[0], &runs[0], err));
	int code = load(store, words->at.at[1], &runs[1], err);
	if (code != MS_OK) {
		ms_run_free(&runs[0]);
		return code;
	}
	code = join_runs(c, store, runs, joined, err);
	ms_run_free(&runs[0]);
	ms_run_free(&runs[1]);
	return code;
}

static int join(const struct join_command *c, const struct ms_words *words, struct ms_err *err)
{
	struct ms_store *store;
	struct ms_run joined;

	if (words->at.n != 2)
		return ms_fail(err, MS_EUSAGE, "%zu run%s, expected memspy join SIMULATED MEASURED",
			       words->at.n, words->at.n == 1 ? "" : "s");
	MS_TRY(ms_cli_check_tag(c->tag, err));
	MS_TRY(ms_store_open(&store, c->report.db, MS_STORE_WRITE, err));
	int code = join_names(c, store, words, &joined, err);
	ms_store_close(store);
	MS_TRY(code);
	code = print(c, &joined, err);
	ms_run_free(&joined);
	return code;
}

static int run_join(int argc, char *const argv[])
{
	struct join_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (!ms_cli_options(&ms_commands_join, argc, argv, &command, &words, &status) &&
	    join(&command, &words, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_join = {
	.name = "join",
	.usage = "join [options] SIMULATED MEASURED",
	.brief = "join a simulated and a sampled run of one build: measured time, simulated causes",
	.full = "Stores a new run, whose time was measured on the real machine and whose causes "
		"were simulated. The two runs are of the same build: one of `memspy run`, one of "
		"`memspy sample` with a timer. All reports show the measured time with its 95% "
		"interval, split by what the simulation says was waited for, and beside it the "
		"share that the simulation had estimated. Where the two disagree by more than the "
		"interval and the usual error of the estimate, they say so. --cost exposed shows "
		"the estimated time as before, --cost latency all latencies.\n\n"
		"RUN is @3 or 3, @latest, or a tag.",
	.examples = "memspy run -q --tag why ./program; memspy sample -q --tag time ./program\ttwo "
		    "runs\n"
		    "memspy join why time --tag both\tjoined\n"
		    "memspy lines @both\tmeasured time by line of source\n",
	.options = { join_tables, false },
	.run = run_join,
};
