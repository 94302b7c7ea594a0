/* cli/commands/fullname.c - memspy fullname: where data comes from, and what rules know it by. */
#include "views/fullname.h"
#include "analysis/summary/select.h"
#include "base/mem.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/options/report.h"
#include "cli/remarks.h"

struct fullname_command {
	struct ms_options_report report;
	struct ms_words names;
};

static const struct ms_opt fullname_rows[] = {
	MS_OPTIONS_DB_ROW(struct fullname_command, report),
	MS_OPTIONS_RULES_ROW(struct fullname_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct fullname_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct fullname_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const fullname_tables[] = { fullname_rows, NULL };

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct fullname_command *c = arg;
	enum ms_views_format format;
	struct ms_views_options options;
	struct ms_summary summary;
	struct ms_text remarks = MS_TEXT_INIT;

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	MS_TRY(ms_summary_make(&summary, run, NULL, NULL, err));
	bool *chosen = ms_alloc((run->data.n + 1) * sizeof(*chosen));
	int code = ms_summary_select(&summary.data, c->names.at.at, c->names.at.n, chosen, &remarks,
				     err);
	ms_cli_print_remarks(&remarks);
	for (size_t i = 0; c->names.at.n == 0 && i < run->data.n; i++)
		chosen[i] = true;
	if (code == MS_OK)
		ms_views_fullname_writers[format](&summary, chosen, &options, out);
	ms_free(chosen);
	ms_summary_free(&summary);
	return code;
}

static int run_fullname(int argc, char *const argv[])
{
	struct fullname_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.asked_names = &command.names;
	if (!ms_cli_options(&ms_commands_fullname, argc, argv, &command, &words, &status) &&
	    (ms_cli_separate_words(&command.report, &words, &command.names, &err) != MS_OK ||
	     ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK))
		status = ms_cli_fail(&err);
	ms_vec_free(&command.names.at);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_fullname = {
	.name = "fullname",
	.usage = "fullname [options] [NAME]... [RUN]",
	.brief = "show where data comes from: its call path, and its key for rules",
	.full = "Shows the whole name of data, with the calls that led to its allocation or the "
		"place of its declaration; which distinguishes data with similar short names. The "
		"key is what the patterns of rules match: the same without line numbers. Each NAME "
		"is as for memspy show; without any, all data is shown, what waits the most "
		"first.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy fullname Y\twhere Matrix.Y is allocated\n",
	.options = { fullname_tables, false },
	.run = run_fullname,
};
