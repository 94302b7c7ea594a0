/* cli/commands/pmu.c - memspy pmu: simulated performance monitors, their accuracy and their cost.
 */
#include "views/simulated_pmu.h"

#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "cli/remarks.h"
#include "run/join.h"

struct pmu_command {
	struct ms_options_report report;
	struct ms_opt_list data;
	uint64_t monitor;
};

static const struct ms_opt pmu_rows[] = {
	{ .kind = MS_OPT_LIST,
	  .letter = 'd',
	  .name = "data",
	  .value = "NAME",
	  .offset = offsetof(struct pmu_command, data),
	  .brief = "only rows with this data (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP " Of evictions: those "
				       "of this data, and those by it." },
	{ .kind = MS_OPT_NUMBER,
	  .letter = 'm',
	  .name = "monitor",
	  .value = "N",
	  .offset = offsetof(struct pmu_command, monitor),
	  .min = 1,
	  .max = 1000000,
	  .brief = "only the Nth monitor of the run" },
	MS_OPTIONS_DB_ROW(struct pmu_command, report),
	MS_OPTIONS_RULES_ROW(struct pmu_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct pmu_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct pmu_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const pmu_tables[] = { pmu_rows, NULL };

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct pmu_command *c = arg;
	struct ms_text remarks = MS_TEXT_INIT;
	const struct ms_monitor_wanted wanted = { c->data.words.at, c->data.words.n, c->monitor,
						  &remarks };
	enum ms_views_format format;
	struct ms_views_options options;
	struct ms_monitor_report monitors;
	const struct ms_run simulated = ms_run_simulated_part(run);

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	int code = ms_monitor_report_make(&monitors, &simulated, &wanted, err);

	ms_cli_print_remarks(&remarks);
	MS_TRY(code);
	ms_views_pmu_writers[format](&monitors, &options, out);
	ms_monitor_report_free(&monitors);
	return MS_OK;
}

static int run_pmu(int argc, char *const argv[])
{
	struct pmu_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.group = "none";
	if (!ms_cli_options(&ms_commands_pmu, argc, argv, &command, &words, &status) &&
	    ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&command.data.words);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_pmu = {
	.name = "pmu",
	.usage = "pmu [options] [--data NAME]... [RUN]",
	.brief = "show what virtual performance monitors sampled, beside what happened",
	.full = "A virtual performance monitor (memspy run --pmu misses/25000) is a counter in the "
		"simulated machine that overflows every so many misses, evictions or stall cycles, "
		"and a handler that then records the accessed data, the line of code, and the data "
		"that was evicted. The handler uses time and caches in a separate simulation; an "
		"undisturbed one counts everything.\n\n"
		"Both are shown side by side, rank and share: by data, by line, evictions by "
		"victim and evictor, and these by line; the interval in which a share lies in 95 "
		"of 100 cases; and by how much the monitor raised the program's misses and cycles. "
		"Shares of evictions are of all evictions of the same data. Accuracy is about "
		"data, "
		"or evicted data, with a tenth and more: the largest error in points, how many "
		"actual shares lie in their interval, and how many pairs are misplaced, in the "
		"wrong "
		"order though more than a point lies between them.\n\n"
		"More samples are more accurate: four times as many halve the interval. "
		"But "
		"a short period disturbs what it measures, and the interval does not cover "
		"that.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy pmu\tthe latest run\n"
		    "memspy pmu --data U @3\tsamples of one data structure in run 3\n"
		    "memspy pmu --monitor 2 --csv\tall rows of the second monitor\n",
	.options = { pmu_tables, false },
	.run = run_pmu,
};
