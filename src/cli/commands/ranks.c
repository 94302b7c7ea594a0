/* cli/commands/ranks.c - memspy ranks: how the ranks of a merged run differ. */
#include "views/ranks.h"
#include "cli/commands/commands.h"
#include "cli/options/report.h"

struct ranks_command {
	struct ms_options_report report;
};

static const struct ms_opt ranks_rows[] = {
	MS_OPTIONS_DB_ROW(struct ranks_command, report),
	MS_OPTIONS_RULES_ROW(struct ranks_command, report),
	MS_OPTIONS_RANK_ROWS(struct ranks_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct ranks_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct ranks_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const ranks_tables[] = { ranks_rows, NULL };

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct ranks_command *c = arg;
	struct ms_views_options options;
	enum ms_views_format format;
	struct ms_rank_times times;

	if (run->rank_rows.n == 0)
		return ms_fail(err, MS_EUSAGE,
			       "the run is not merged from ranks; `mpirun -n 8 memspy run PROGRAM` "
			       "or `memspy merge` makes one that is");
	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	ms_rank_times_make(&times, run);
	int code = ms_views_ranks_writers[format](&times, &options, out, err);

	ms_rank_times_free(&times);
	return code;
}

static int run_ranks(int argc, char *const argv[])
{
	struct ranks_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	/* How a group differs between ranks is not known: only how each of its parts does. */
	command.report.group = "none";
	if (!ms_cli_options(&ms_commands_ranks, argc, argv, &command, &words, &status) &&
	    ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_ranks = {
	.name = "ranks",
	.usage = "ranks [options] [RUN]",
	.brief = "show how the ranks of a parallel job differ",
	.full = "Of a run that was merged from the ranks of a job: the time of ranks, the slowest "
		"first; code and data whose stall differs most between them, by how far the "
		"worst rank is above the mean; clusters of ranks that spend their time alike, "
		"with the rank that represents each; ranks that are missing or not in the sums. "
		"Time is compute and memory stall, estimated in cycles, or measured, "
		"without waiting: functions of MPI that poll for other ranks. CSV has "
		"one line for each rank. Code of MPI and heap data are not grouped here.",
	.examples = "memspy ranks\tof the latest run\n"
		    "memspy ranks before --csv\tall ranks, for a plot\n",
	.options = { ranks_tables, false },
	.run = run_ranks,
};
