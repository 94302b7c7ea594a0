/* cli/commands/export.c - memspy export: a run as the file of another tool. */
#include <string.h>

#include "base/near.h"
#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "views/export/export.h"
#include "views/export/formats.h"

#define NAME(name, has_views, has_metric, description) " " #name
/* Of the formats that have this property: their names, as NAME. */
#define IF_true(text)                                            text
#define IF_false(text)                                           ""
#define NAME_IF_VIEWS(name, has_views, has_metric, description)  IF_##has_views(" " #name)
#define NAME_IF_METRIC(name, has_views, has_metric, description) IF_##has_metric(" " #name)
#define LINE(name, has_views, has_metric, description)           "  " #name ": " description "\n"

struct export_command {
	struct ms_options_report report;
	const char *view;
	const char *metric;
	const struct ms_export_format *format;
};

static const struct ms_opt export_rows[] = {
	{ .kind = MS_OPT_WORD,
	  .name = "view",
	  .value = "VIEW",
	  .offset = offsetof(struct export_command, view),
	  .choices = "code|data",
	  .brief = "by code (default) or by data; for" MS_EXPORT_FORMATS(NAME_IF_VIEWS),
	  .full = "By code: functions and their lines; stacks end in the data. By data: the "
		  "allocating code, the data, and the lines that use it." },
	{ .kind = MS_OPT_TEXT,
	  .name = "metric",
	  .value = "KEY",
	  .offset = offsetof(struct export_command, metric),
	  .brief = "stall (default), references, or L1_misses ...; for" MS_EXPORT_FORMATS(
		  NAME_IF_METRIC) },
	{ .kind = MS_OPT_TEXT,
	  .name = "latency",
	  .value = "NAME=CYCLES,...",
	  .offset = offsetof(struct export_command, report.latency),
	  .brief = "other latencies than the run's: L2=12,L3=40,memory=200" },
	MS_OPTIONS_COST_ROW(struct export_command, report),
	MS_OPTIONS_DB_ROW(struct export_command, report),
	MS_OPTIONS_RULES_ROW(struct export_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct export_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const export_tables[] = { export_rows, NULL };

static int find_format(const char *name, const struct ms_export_format **format, struct ms_err *err)
{
	struct ms_near near = { .word = name };

	for (const struct ms_export_format *f = ms_export_formats; f->name != NULL; f++) {
		ms_near_try(&near, f->name);
		if (strcmp(f->name, name) == 0) {
			*format = f;
			return MS_OK;
		}
	}
	return ms_fail(err, MS_EUSAGE,
		       "unknown format '%s', expected" MS_EXPORT_FORMATS(NAME) "%s%s%s", name,
		       near.best != NULL ? "; did you mean '" : "",
		       near.best != NULL ? near.best : "", near.best != NULL ? "'?" : "");
}

static int check(const struct export_command *c, struct ms_err *err)
{
	if (c->view != NULL && !c->format->has_views)
		return ms_fail(err, MS_EUSAGE,
			       "--view has no meaning for %s: it holds all there "
			       "is",
			       c->format->name);
	if (c->metric != NULL && !c->format->has_metric)
		return ms_fail(err, MS_EUSAGE,
			       "--metric has no meaning for %s: it holds all of "
			       "them",
			       c->format->name);
	return MS_OK;
}

static int write_run(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct export_command *c = arg;
	const struct ms_export_options options = {
		.view = c->view != NULL && strcmp(c->view, "data") == 0 ? MS_STACK_DATA
									: MS_STACK_CODE,
		.metric = c->metric,
	};
	struct ms_lines_points points;

	MS_TRY(ms_lines_points_make(&points, run, c->report.latency, err));
	int code = c->format->write(&points, &options, out, err);
	ms_lines_points_free(&points);
	return code;
}

static int export(struct export_command *c, const struct ms_words *words, struct ms_err *err)
{
	struct ms_words rest = { 0 };

	if (words->at.n == 0)
		return ms_fail(err, MS_EUSAGE,
			       "which format? Usage: memspy export FORMAT [RUN]; FORMAT is one "
			       "of" MS_EXPORT_FORMATS(NAME));
	MS_TRY(find_format(words->at.at[0], &c->format, err));
	MS_TRY(check(c, err));
	for (size_t i = 1; i < words->at.n; i++)
		*ms_vec_add(&rest.at) = words->at.at[i];
	int code = ms_options_show_report(&c->report, &rest, write_run, c, err);
	ms_vec_free(&rest.at);
	return code;
}

static int run_export(int argc, char *const argv[])
{
	struct export_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.group = "none";
	if (!ms_cli_options(&ms_commands_export, argc, argv, &command, &words, &status) &&
	    export(&command, &words, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_export = {
	.name = "export",
	.usage = "export [options] FORMAT [RUN]",
	.brief = "write a run as the file of another tool",
	.full = "FORMAT is one of\n\n" MS_EXPORT_FORMATS(
		LINE) "\n"
		      "RUN is @3 or 3, @latest (the default), or a tag. docs/formats/export.md "
		      "says what "
		      "stands where. To pass a run on to another memspy: memspy runs export.",
	.examples = "memspy export callgrind -o callgrind.out.1\tthen kcachegrind callgrind.out.1\n"
		    "memspy export callgrind --view data -o callgrind.out.2\tdata as functions\n"
		    "memspy export collapsed @3 | flamegraph.pl >stall.svg\ta flame graph\n"
		    "memspy export speedscope --metric L1_misses -o misses.json\tof misses\n",
	.options = { export_tables, false },
	.run = run_export,
};
