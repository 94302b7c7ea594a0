/* cli/commands/report.c - memspy report: totals, and which data in which code makes the program
 * wait. */
#include "cli/options/report.h"
#include "cli/commands/commands.h"

struct report_command {
	struct ms_options_report report;
};

static const struct ms_opt report_rows[] = {
	MS_OPTIONS_DB_ROW(struct report_command, report),
	MS_OPTIONS_RULES_ROW(struct report_command, report),
	MS_OPTIONS_RANK_ROWS(struct report_command, report),
	MS_OPTIONS_REPORT_ROWS(struct report_command, report),
	MS_OPTIONS_FOLD_ROWS(struct report_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct report_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const report_tables[] = { report_rows, NULL };

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	return ms_options_print_report(run, arg, out, err);
}

static int run_report(int argc, char *const argv[])
{
	struct report_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (ms_cli_options(&ms_commands_report, argc, argv, &command, &words, &status))
		return status;
	if (ms_options_show_report(&command.report, &words, print, &command.report, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_report = {
	.name = "report",
	.usage = "report [options] [RUN]",
	.brief = "show the totals of a run and the matrix of code and data",
	.full = "Shows how long the program computed and how long it waited for memory, its "
		"references and "
		"misses, and the share that each code (down) has with each data (across) in the "
		"total stall "
		"time, the largest in the upper left corner. What is too small or has no room is "
		"added up as "
		"the rest, so that every row and column adds up as printed. The last lines are "
		"hints, where something would make the report more precise, findings (memspy help "
		"advise), or why there are none, and the command that shows the worst bin.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples =
		"memspy report\tthe latest run\n"
		"memspy report @3 --by data --top 20\tthe 20 data that wait the most in run 3\n"
		"memspy report --by line --sort L1_misses\twhere most first-level misses happen\n"
		"memspy report --latency memory=300\tif memory were slower\n"
		"memspy report --json | jq '.bins[0]'\tthe worst bin\n",
	.options = { report_tables, false },
	.run = run_report,
};
