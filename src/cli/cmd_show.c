/* cli/cmd_show.c - memspy show: everything about one bin, or about any union of bins. */
#include "analysis/detail.h"
#include "cli/cmd.h"
#include "cli/load.h"
#include "cli/report_options.h"

struct show_command {
	struct ms_report_options report;
	struct ms_opt_list code;
	struct ms_opt_list data;
	struct ms_words names; /* of either */
};

static const struct ms_opt show_rows[] = {
	{ .kind = MS_OPT_LIST,
	  .letter = 'd',
	  .name = "data",
	  .value = "NAME",
	  .offset = offsetof(struct show_command, data),
	  .brief = "of this data (may be repeated)",
	  .full = "The name, a pattern (* ? [), or a part of just one name." },
	{ .kind = MS_OPT_LIST,
	  .letter = 'c',
	  .name = "code",
	  .value = "NAME",
	  .offset = offsetof(struct show_command, code),
	  .brief = "in this code (may be repeated)",
	  .full = "The name of a function, a pattern (* ? [), or a part of just one name." },
	MS_DB_ROW(struct show_command, report),
	MS_RULES_ROW(struct show_command, report),
	MS_REPORT_ROWS(struct show_command, report),
	MS_OUTPUT_ROW(struct show_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const show_tables[] = { show_rows, NULL };

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct show_command *c = arg;
	const struct ms_detail_wanted wanted = { c->code.words.at, c->code.words.n,
						 c->data.words.at, c->data.words.n,
						 c->names.at.at,   c->names.at.n };
	const struct ms_view *view;
	struct ms_view_options options;
	struct ms_detail detail;

	MS_TRY(ms_report_view(&c->report, out, &view, &options, err));
	MS_TRY(ms_detail_make(&detail, run, &wanted, c->report.latency, err));
	int code = view->show(&detail, &options, out, err);
	ms_detail_free(&detail);
	return code;
}

static int run_show(int argc, char *const argv[])
{
	struct show_command command = { .report = MS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_EXIT_OK;

	if (!ms_cli_options(&ms_cmd_show, argc, argv, &command, &words, &status) &&
	    (ms_cli_part_words(&command.report, &words, &command.names, &err) != MS_OK ||
	     ms_report_show(&command.report, &words, print, &command, &err) != MS_OK))
		status = ms_cli_fail(&err);
	ms_vec_free(&command.code.words);
	ms_vec_free(&command.data.words);
	ms_vec_free(&command.names.at);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cmd ms_cmd_show = {
	.name = "show",
	.usage = "show [options] [NAME]... [RUN]",
	.brief = "show everything about data in code: a bin, or any union of bins",
	.full = "Shows the time, references, misses and their causes of the chosen data in the "
		"chosen code, "
		"which data pushed it out of the caches, where it was allocated, and its hottest "
		"lines. "
		"Each NAME is that of data or code, a pattern (* ? [), or a part of just one name; "
		"--data and --code say which is meant. Without any code all code is meant, "
		"without data all data; without both, the bin that waits the most.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy show\tthe bin that waits the most\n"
		    "memspy show Y BlkMultiply\tone bin, by parts of its names\n"
		    "memspy show --data Matrix.Y --code BlkMultiply\tthe same\n"
		    "memspy show --data 'Matrix.*' @3\tseveral data in all code of run 3\n",
	.options = { show_tables, false },
	.run = run_show,
};
