/* cli/cmd_runs.c - memspy runs: which runs the database holds. */
#include "cli/cmd.h"
#include "cli/report_options.h"

struct runs_command {
	struct ms_report_options report;
};

static const struct ms_opt runs_rows[] = {
	MS_DB_ROW(struct runs_command, report),
	MS_FORMAT_ROWS(struct runs_command, report),
	MS_OUTPUT_ROW(struct runs_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const runs_tables[] = { runs_rows, NULL };

static int load(const struct ms_report_options *opts, struct ms_run_heads *heads,
		struct ms_err *err)
{
	struct ms_store *store;

	MS_TRY(ms_store_open(&store, opts->db, MS_STORE_READ, err));
	int code = ms_store_list(store, heads, err);
	ms_store_close(store);
	return code;
}

static int print(const struct ms_report_options *opts, const struct ms_run_heads *heads,
		 struct ms_err *err)
{
	const struct ms_view *view;
	struct ms_view_options options;
	struct ms_err ignored;
	FILE *out;

	MS_TRY(ms_output_open(opts, &out, err));
	int code = ms_report_view(opts, out, &view, &options, err);
	if (code == MS_OK)
		code = view->runs(heads, &options, out, err);
	int closed = ms_output_close(opts, out, code == MS_OK ? err : &ignored);
	return code == MS_OK ? closed : code;
}

static int runs(const struct ms_report_options *opts, const struct ms_words *words,
		struct ms_err *err)
{
	struct ms_run_heads heads;

	if (words->at.n > 0)
		return ms_fail(err, MS_EUSAGE,
			       "'%s' is one word too many; did you mean memspy report %s?",
			       words->at.at[0], words->at.at[0]);
	MS_TRY(load(opts, &heads, err));
	int code = print(opts, &heads, err);
	ms_run_heads_free(&heads);
	return code;
}

static int run_runs(int argc, char *const argv[])
{
	struct runs_command command = { .report = MS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_EXIT_OK;

	if (ms_cli_options(&ms_cmd_runs, argc, argv, &command, &words, &status))
		return status;
	if (runs(&command.report, &words, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cmd ms_cmd_runs = {
	.name = "runs",
	.usage = "runs [options]",
	.brief = "list the runs in the run database",
	.full = "Lists every run with its number, tag, time, figures, end, machine and command "
		"line. A run is "
		"named @3 or 3, @latest, or by its tag wherever a command takes one.",
	.examples = "memspy runs\tthe runs in memspy.db\n"
		    "memspy runs --db old.db --top 5\tthe newest five in another database\n",
	.options = { runs_tables, false },
	.run = run_runs,
};
