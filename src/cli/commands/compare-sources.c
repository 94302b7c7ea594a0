/* cli/commands/compare-sources.c - memspy compare-sources: a simulated and a sampled run side by
 * side.
 */
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "cli/two_runs.h"
#include "views/compare.h"

struct compare_command {
	struct ms_options_report report;
	const char *by;
};

static const struct ms_opt compare_rows[] = {
	{ .kind = MS_OPT_WORD,
	  .name = "by",
	  .value = "WHAT",
	  .offset = offsetof(struct compare_command, by),
	  .choices = "data|code|bin",
	  .brief = "compare data, code or bins (default: data)" },
	{ .kind = MS_OPT_REAL,
	  .name = "threshold",
	  .value = "PERCENT",
	  .offset = offsetof(struct compare_command, report.threshold),
	  .min = 0,
	  .max = 100,
	  .brief = "leave out what has less in both runs (default: 0.5)" },
	MS_OPTIONS_DB_ROW(struct compare_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct compare_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct compare_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const compare_tables[] = { compare_rows, NULL };

static enum ms_summary_entry_kind kind_of(const char *by)
{
	if (by != NULL && strcmp(by, "code") == 0)
		return MS_ENTRY_CODE;
	return by != NULL && strcmp(by, "bin") == 0 ? MS_ENTRY_BIN : MS_ENTRY_DATA;
}

static int print(const void *arg, const struct ms_run runs[2], FILE *out, struct ms_err *err)
{
	const struct compare_command *c = arg;
	enum ms_views_format format;
	struct ms_views_options options;
	struct ms_accuracy_sources compare;

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	MS_TRY(ms_accuracy_sources_make(&compare, runs, kind_of(c->by), err));
	ms_views_compare_writers[format](&compare, &options, out);
	ms_accuracy_sources_free(&compare);
	return MS_OK;
}

static int run_compare(int argc, char *const argv[])
{
	struct compare_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.group = "none";
	if (!ms_cli_options(&ms_commands_compare_sources, argc, argv, &command, &words, &status) &&
	    ms_cli_two_runs(&command.report, &words, "memspy compare-sources RUN RUN", print,
			    &command, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_compare_sources = {
	.name = "compare-sources",
	.usage = "compare-sources [options] RUN RUN",
	.brief = "put a simulated and a sampled run of a program side by side",
	.full = "Ranks and shares of the same data in two runs, each with the interval that it "
		"has: so simulation and hardware validate each other. The shares are those of "
		"what each run calls waiting: stall cycles of the simulated machine, latency or "
		"time of the real one. What has five per cent or more in either run is judged: "
		"how many of the first three are in the same order, and how many shares are "
		"within their intervals.\n\n"
		"RUN is @3 or 3, @latest, or a tag.",
	.examples = "memspy run -q --tag sim ./program; memspy sample -q --tag real ./program\ttwo "
		    "runs\n"
		    "memspy compare-sources sim real\tside by side\n"
		    "memspy compare-sources --by code sim real\twhich functions\n",
	.options = { compare_tables, false },
	.run = run_compare,
};
