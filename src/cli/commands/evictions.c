/* cli/commands/evictions.c - memspy evictions: which data evicts which from the caches, and where.
 */
#include "views/evictions.h"
#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "cli/remarks.h"
#include "run/join.h"

struct evictions_command {
	struct ms_options_report report;
	struct ms_opt_list of;
	struct ms_opt_list by;
	struct ms_opt_list at;
	const char *level;
	bool occupancy;
	bool timeline;
};

static const struct ms_opt evictions_rows[] = {
	{ .kind = MS_OPT_TEXT,
	  .letter = 'l',
	  .name = "level",
	  .value = "LEVEL",
	  .offset = offsetof(struct evictions_command, level),
	  .brief = "the cache level: L1, L2, ...",
	  .full = "Default in text: the one whose replacement misses cost the most; JSON "
		  "and CSV hold them all." },
	{ .kind = MS_OPT_LIST,
	  .name = "of",
	  .value = "DATA",
	  .offset = offsetof(struct evictions_command, of),
	  .brief = "only evictions of this data (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP " Percentages by line "
				       "of code are then of all evictions of this data." },
	{ .kind = MS_OPT_LIST,
	  .name = "by",
	  .value = "DATA",
	  .offset = offsetof(struct evictions_command, by),
	  .brief = "only evictions by references to this data (may be repeated)",
	  .full = "In the matrix, all other data is then one row." },
	{ .kind = MS_OPT_LIST,
	  .name = "at",
	  .value = "CODE",
	  .offset = offsetof(struct evictions_command, at),
	  .brief = "only evictions in this code (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP },
	{ .kind = MS_OPT_FLAG,
	  .name = "occupancy",
	  .offset = offsetof(struct evictions_command, occupancy),
	  .brief = "show instead how much of the level each data has",
	  .full = "On average over the run, at most, at its end, and over time. With --of, only of "
		  "this data. JSON always has it." },
	{ .kind = MS_OPT_FLAG,
	  .name = "timeline",
	  .offset = offsetof(struct evictions_command, timeline),
	  .brief = "the same slice by slice of the run" },
	MS_OPTIONS_DB_ROW(struct evictions_command, report),
	MS_OPTIONS_RULES_ROW(struct evictions_command, report),
	MS_OPTIONS_RANK_ROWS(struct evictions_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct evictions_command, report),
	{ .kind = MS_OPT_REAL,
	  .name = "threshold",
	  .value = "PERCENT",
	  .offset = offsetof(struct evictions_command, report.threshold),
	  .max = 100,
	  .brief = "leave data with smaller shares of the evictions to the others",
	  .full = "In the matrix, in per cent (default: 0.1). JSON and CSV hold "
		  "everything." },
	{ .kind = MS_OPT_TEXT,
	  .name = "latency",
	  .value = "NAME=CYCLES,...",
	  .offset = offsetof(struct evictions_command, report.latency),
	  .brief = "other latencies than the run's: L2=12,L3=40,memory=200" },
	MS_OPTIONS_COST_ROW(struct evictions_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct evictions_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const evictions_tables[] = { evictions_rows, NULL };

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct evictions_command *c = arg;
	struct ms_text remarks = MS_TEXT_INIT;
	const struct ms_evictions_wanted wanted = { c->of.words.at, c->of.words.n,  c->by.words.at,
						    c->by.words.n,  c->at.words.at, c->at.words.n,
						    c->level,       &remarks };
	enum ms_views_format format;
	struct ms_views_options options;
	struct ms_evictions evictions;
	const struct ms_run simulated = ms_run_simulated_part(run);

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	int code = ms_evictions_make(&evictions, &simulated, &wanted, c->report.latency, err);

	ms_cli_print_remarks(&remarks);
	MS_TRY(code);
	if (c->occupancy || c->timeline)
		ms_views_occupancy_writers[format](&evictions, &options, c->timeline, out);
	else
		ms_views_evictions_writers[format](&evictions, &options, out);
	ms_evictions_free(&evictions);
	return MS_OK;
}

static int run_evictions(int argc, char *const argv[])
{
	struct evictions_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.asked_data[0] = &command.of;
	command.report.asked_data[1] = &command.by;
	if (!ms_cli_options(&ms_commands_evictions, argc, argv, &command, &words, &status) &&
	    ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&command.of.words);
	ms_vec_free(&command.by.words);
	ms_vec_free(&command.at.words);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_evictions = {
	.name = "evictions",
	.usage = "evictions [options] [--of DATA]... [--by DATA]... [--at CODE]... [RUN]",
	.brief = "show which data pushes which out of the caches, and where",
	.full = "Shows, for one cache level, how often a line of each data had to leave because a "
		"reference brought another line in, and to which data that reference was: a "
		"matrix with a column for each data that is evicted and a row for each that "
		"evicts it, in per cent of the column. Then the lines of code where that "
		"happens.\n\n"
		"Data that mostly evicts itself is used again too late for its size: work on "
		"smaller parts of it at a time (tiling). Data that evicts other data in the same "
		"loop may only lie badly: padding or moving one of them helps.\n\n"
		"A miss whose set has a free place evicts nothing. RUN is @3 or 3, @latest (the "
		"default), or a tag.",
	.examples = "memspy evictions\tthe matrix of the level that costs the most\n"
		    "memspy evictions --level L1 --of U\twhere U is evicted from L1, and by what\n"
		    "memspy evictions --of U --by R @3\tonly by references to R, in run 3\n"
		    "memspy evictions --at resid\tonly what happens in one function\n"
		    "memspy evictions --occupancy\twhich data has how much of the level\n",
	.options = { evictions_tables, false },
	.run = run_evictions,
};
