/* cli/commands/advise.c - memspy advise: what to change, and what it should gain. */
#include "views/advise.h"

#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "views/shared.h"

struct advise_command {
	struct ms_options_report report;
};

static const struct ms_opt advise_rows[] = {
	MS_OPTIONS_DB_ROW(struct advise_command, report),
	MS_OPTIONS_RULES_ROW(struct advise_command, report),
	MS_OPTIONS_RANK_ROWS(struct advise_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct advise_command, report),
	{ .kind = MS_OPT_TEXT,
	  .name = "latency",
	  .value = "NAME=CYCLES,...",
	  .offset = offsetof(struct advise_command, report.latency),
	  .brief = "other latencies than the run's: L2=12,memory=200,peer=60" },
	MS_OPTIONS_COST_ROW(struct advise_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct advise_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const advise_tables[] = { advise_rows, NULL };

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct advise_command *c = arg;
	enum ms_views_format format;
	struct ms_views_options options;
	struct ms_summary summary;
	struct ms_advise advise;

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	MS_TRY(ms_summary_make(&summary, run, NULL, c->report.latency, err));
	ms_advise_make(&advise, &summary);
	advise.at.n = ms_views_top(advise.at.n, options.top);
	ms_views_advise_writers[format](&advise, &options, out);
	ms_advise_free(&advise);
	ms_summary_free(&summary);
	return MS_OK;
}

static int run_advise(int argc, char *const argv[])
{
	struct advise_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (!ms_cli_options(&ms_commands_advise, argc, argv, &command, &words, &status) &&
	    ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_advise = {
	.name = "advise",
	.usage = "advise [options] [RUN]",
	.brief = "show what to change in the program, and the predicted gain",
	.full = "Shows at most five findings, the largest predicted gain first. Each says which "
		"data, in which code, the figures that show it and the commands that show these "
		"figures, a remedy, and what would prove the finding wrong.\n\n"
		"The gain is the share of the program's time that the remedy saves, with the "
		"bounds between which it should be; docs/accuracy/advice.md has how often that "
		"was so. A finding whose lower bound is below 3% is not given. Kinds of findings: "
		"loop order, blocking, fusion of loops, working set of successive loops, working "
		"set of each thread, padding against conflicts, hot and cold members, structure of "
		"arrays, order of members, lines of which less than half is used, pointer chasing, "
		"gather, streaming stores, huge pages, false sharing, true sharing, first touch on "
		"the wrong node, allocation in a hot loop.\n\n"
		"Most kinds need the timing model of an out-of-order core; those of sharing need "
		"several simulated processors (memspy run --processors 4). RUN is @3 or 3, @latest "
		"(the default), or a tag.",
	.examples =
		"memspy advise\tthe latest run\n"
		"memspy advise --json @3 | jq '.findings[0].remedy'\tthe first remedy of run 3\n",
	.options = { advise_tables, false },
	.run = run_advise,
};
