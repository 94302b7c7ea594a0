#include "cli/list_command.h"

#include "analysis/call_paths/call_paths.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/remarks.h"
#include "views/single_list.h"

static int print_whole(const struct ms_cli_list_command *c, const struct ms_run *run,
		       enum ms_views_format format, const struct ms_views_options *options,
		       FILE *out, struct ms_err *err)
{
	struct ms_summary summary;

	MS_TRY(ms_summary_make(&summary, run, NULL, c->report.latency, err));
	ms_paths_add_inclusive(&summary);
	int code = ms_views_list_writers[format](&summary, options, out, err);
	ms_summary_free(&summary);
	return code;
}

static struct ms_summary_detail_wanted wanted_by(const struct ms_cli_list_command *c)
{
	return (struct ms_summary_detail_wanted){ c->code.words.at, c->code.words.n,
						  c->data.words.at, c->data.words.n,
						  c->names.at.at,   c->names.at.n };
}

/* listed: as a list, where text is wanted; else all about it. */
static int print_part(const struct ms_cli_list_command *c, const struct ms_run *run,
		      enum ms_views_format format, const struct ms_views_options *options,
		      bool listed, FILE *out, struct ms_err *err)
{
	const struct ms_summary_detail_wanted wanted = wanted_by(c);
	struct ms_summary_detail detail;

	MS_TRY(ms_summary_detail_make(&detail, run, &wanted, c->report.latency, err));
	ms_cli_print_remarks(&detail.remarks);
	ms_paths_add_inclusive(&detail.whole);
	ms_paths_add_inclusive(&detail.part);
	int code = (listed ? ms_views_list_part_writers
			   : ms_views_show_writers)[format](&detail, options, out, err);
	ms_summary_detail_free(&detail);
	return code;
}

static int print_show(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct ms_cli_list_command *c = arg;
	enum ms_views_format format;
	struct ms_views_options options;

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	return print_part(c, run, format, &options, false, out, err);
}

static int print_list(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct ms_cli_list_command *c = arg;
	enum ms_views_format format;
	struct ms_views_options options;

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	if (c->code.words.n + c->data.words.n + c->names.at.n == 0)
		return print_whole(c, run, format, &options, out, err);
	return print_part(c, run, format, &options, true, out, err);
}

/* by: as --by has it; NULL: as the options say. */
static int run_with(const struct ms_cli_command *cmd, int argc, char *const argv[], const char *by,
		    int (*print)(const void *arg, const struct ms_run *run, FILE *out,
				 struct ms_err *err))
{
	struct ms_cli_list_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (!ms_cli_options(cmd, argc, argv, &command, &words, &status)) {
		command.report.by = by != NULL ? by : command.report.by;
		command.report.asked_names = &command.names;
		command.report.asked_data[0] = &command.data;
		command.report.asked_code = &command.code;
		if ((cmd != &ms_commands_matrix &&
		     ms_cli_separate_words(&command.report, &words, &command.names, &err) !=
			     MS_OK) ||
		    ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
			status = ms_cli_fail(&err);
	}
	ms_vec_free(&command.code.words);
	ms_vec_free(&command.data.words);
	ms_vec_free(&command.names.at);
	ms_vec_free(&words.at);
	return status;
}

int ms_cli_list(const struct ms_cli_command *cmd, int argc, char *const argv[])
{
	return run_with(cmd, argc, argv, cmd->name, print_list);
}

int ms_cli_show(const struct ms_cli_command *cmd, int argc, char *const argv[])
{
	return run_with(cmd, argc, argv, NULL, print_show);
}
