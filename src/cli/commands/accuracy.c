/* cli/commands/accuracy.c - memspy accuracy: a sampled run beside the whole one. */
#include "views/accuracy.h"
#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "cli/two_runs.h"
#include "run/join.h"

struct accuracy_command {
	struct ms_options_report report;
};

static const struct ms_opt accuracy_rows[] = {
	MS_OPTIONS_DB_ROW(struct accuracy_command, report),
	MS_OPTIONS_RULES_ROW(struct accuracy_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct accuracy_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct accuracy_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const accuracy_tables[] = { accuracy_rows, NULL };

static int print(const void *arg, const struct ms_run runs[2], FILE *out, struct ms_err *err)
{
	const struct accuracy_command *c = arg;
	enum ms_views_format format;
	struct ms_views_options options;
	struct ms_accuracy accuracy;
	/* Measured times do not show how exact the windows are. */
	const struct ms_run simulated[2] = { ms_run_simulated_part(&runs[0]),
					     ms_run_simulated_part(&runs[1]) };

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	MS_TRY(ms_accuracy_make(&accuracy, &simulated[0], &simulated[1], err));
	ms_views_accuracy_writers[format](&accuracy, &options, out);
	ms_accuracy_free(&accuracy);
	return MS_OK;
}

static int run_accuracy(int argc, char *const argv[])
{
	struct accuracy_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.group = "none";
	if (!ms_cli_options(&ms_commands_accuracy, argc, argv, &command, &words, &status) &&
	    ms_cli_two_runs(&command.report, &words, "memspy accuracy WHOLE SAMPLED", print,
			    &command, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_accuracy = {
	.name = "accuracy",
	.usage = "accuracy [options] WHOLE SAMPLED",
	.brief = "compare a sampled run with one that was simulated whole",
	.full = "Shows true and estimated miss rates with the error in points and relative, and "
		"the "
		"interval that the sampled run gives; the references of which a window does "
		"not show whether they hit, and what each of five estimators makes of them; the "
		"causes of misses; and whether the bins with 90 per cent of the stall time are "
		"in the true order.\n\n"
		"The estimators: run, what the run itself has (stitched state, with first uses "
		"that cannot be first ones corrected); stitched, by what the window before had "
		"left in the caches; half, a half of them miss; dead, by the time that lines are "
		"not used again before they leave, with G, the lines that came and left for each "
		"line of the cache in a window: below 1 it is weak evidence; data-dead, the same "
		"for "
		"each data.\n\n"
		"WHOLE and SAMPLED are runs: @3 or 3, @latest, or a tag. They must be of the same "
		"machine.",
	.examples = "memspy replay -q p.trace; memspy replay -q --sample 1/10 p.trace\ttwo runs of "
		    "one trace\n"
		    "memspy accuracy 1 2\tbeside each other\n",
	.options = { accuracy_tables, false },
	.run = run_accuracy,
};
