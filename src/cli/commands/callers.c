/* cli/commands/callers.c - memspy callers: who calls code that waits for memory. */
#include "views/callers.h"
#include "analysis/summary/select.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/options/report.h"
#include "cli/remarks.h"

struct callers_command {
	struct ms_options_report report;
	struct ms_opt_list code;
	struct ms_opt_list data;
	struct ms_words names; /* of either */
};

static const struct ms_opt callers_rows[] = {
	{ .kind = MS_OPT_LIST,
	  .letter = 'd',
	  .name = "data",
	  .value = "NAME",
	  .offset = offsetof(struct callers_command, data),
	  .brief = "of the code that uses this data (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP },
	{ .kind = MS_OPT_LIST,
	  .letter = 'c',
	  .name = "code",
	  .value = "NAME",
	  .offset = offsetof(struct callers_command, code),
	  .brief = "of this function (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP },
	MS_OPTIONS_DB_ROW(struct callers_command, report),
	MS_OPTIONS_RULES_ROW(struct callers_command, report),
	MS_OPTIONS_RANK_ROWS(struct callers_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct callers_command, report),
	{ .kind = MS_OPT_REAL,
	  .name = "threshold",
	  .value = "PERCENT",
	  .offset = offsetof(struct callers_command, report.threshold),
	  .max = 100,
	  .brief = "leave out callers with smaller shares of NAME's stall time (default: 0.5)" },
	{ .kind = MS_OPT_TEXT,
	  .name = "latency",
	  .value = "NAME=CYCLES,...",
	  .offset = offsetof(struct callers_command, report.latency),
	  .brief = "other latencies than the run's: L2=12,memory=200" },
	MS_OPTIONS_COST_ROW(struct callers_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct callers_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const callers_tables[] = { callers_rows, NULL };

/* "a, b": the names as they were typed, or the full name if there is one only. */
static void add_names(struct ms_text *out, const struct ms_summary_entries *entries,
		      const bool *chosen)
{
	size_t n = 0;

	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_summary_entry *e = &entries->at.at[i];

		if (chosen[entries->are_data ? e->data : e->code])
			ms_text_addf(out, "%s%s", n++ > 0 ? ", " : "", e->name);
	}
}

static void write_callers(const struct ms_summary *summary, const struct ms_paths_rows *rows,
			  const bool *chosen, bool is_code, enum ms_views_format format,
			  const struct ms_views_options *options, FILE *out)
{
	struct ms_text name = MS_TEXT_INIT;
	struct ms_paths_callers callers;

	add_names(&name, is_code ? &summary->code : &summary->data, chosen);
	ms_paths_find_callers(&callers, rows, is_code ? chosen : NULL, is_code ? NULL : chosen);
	ms_views_callers_writers[format](
		&(struct ms_views_callers){ summary,
					    &callers,
					    ms_text_get(&name),
					    !is_code,
					    { is_code ? chosen : NULL, is_code ? NULL : chosen } },
		options, out);
	ms_paths_free_callers(&callers);
	ms_text_free(&name);
}

/* Callers are of code or of data: the first name says which. */
static int choose_kind(const struct callers_command *c, const struct ms_summary *summary,
		       bool *is_code, struct ms_text *remarks, struct ms_err *err)
{
	if (c->code.words.n > 0 && c->data.words.n > 0)
		return ms_fail(err, MS_EUSAGE,
			       "--data and --code: callers are of either; omit one of them");
	*is_code = c->code.words.n > 0;
	if (c->code.words.n + c->data.words.n > 0)
		return MS_OK;
	return ms_summary_select_either(&summary->data, &summary->code, c->names.at.at[0], is_code,
					remarks, err);
}

/* The functions, or the data, that the names mean. */
static int choose(const struct callers_command *c, const struct ms_summary *summary, bool **chosen,
		  bool *is_code, struct ms_text *remarks, struct ms_err *err)
{
	size_t most = summary->run->codes.n + summary->run->data.n + 1;

	MS_TRY(choose_kind(c, summary, is_code, remarks, err));
	const struct ms_summary_entries *entries = *is_code ? &summary->code : &summary->data;
	const struct ms_opt_list *list = *is_code ? &c->code : &c->data;

	*chosen = ms_alloc(most * sizeof(**chosen));
	MS_TRY(ms_summary_select(entries, list->words.at, list->words.n, *chosen, remarks, err));
	return ms_summary_select(entries, c->names.at.at, c->names.at.n, *chosen, remarks, err);
}

static int print_chosen(const struct callers_command *c, struct ms_summary *summary,
			const struct ms_paths_rows *rows, enum ms_views_format format,
			const struct ms_views_options *options, FILE *out, struct ms_err *err)
{
	bool *chosen = NULL, is_code = false;
	struct ms_text remarks = MS_TEXT_INIT;
	int code = choose(c, summary, &chosen, &is_code, &remarks, err);

	ms_cli_print_remarks(&remarks);
	if (code == MS_OK)
		write_callers(summary, rows, chosen, is_code, format, options, out);
	ms_free(chosen);
	return code;
}

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct callers_command *c = arg;
	enum ms_views_format format;
	struct ms_views_options options;
	struct ms_summary summary;
	struct ms_paths_rows rows;

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	MS_TRY(ms_summary_make(&summary, run, NULL, c->report.latency, err));
	int code = ms_paths_make_rows(&rows, &summary, err);
	if (code == MS_OK) {
		code = c->names.at.n + c->code.words.n + c->data.words.n == 0
			       ? ms_views_paths_writers[format](&summary, &options, out, err)
			       : print_chosen(c, &summary, &rows, format, &options, out, err);
		ms_paths_free_rows(&rows);
	}
	ms_summary_free(&summary);
	return code;
}

static int run_callers(int argc, char *const argv[])
{
	struct callers_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.asked_names = &command.names;
	command.report.asked_data[0] = &command.data;
	command.report.asked_code = &command.code;
	if (!ms_cli_options(&ms_commands_callers, argc, argv, &command, &words, &status) &&
	    (ms_cli_separate_words(&command.report, &words, &command.names, &err) != MS_OK ||
	     ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK))
		status = ms_cli_fail(&err);
	ms_vec_free(&command.code.words);
	ms_vec_free(&command.data.words);
	ms_vec_free(&command.names.at);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_callers = {
	.name = "callers",
	.usage = "callers [options] [NAME]... [RUN]",
	.brief = "show who calls a function that waits for memory, or uses data",
	.full = "Shows which calls lead to the misses of a function, with all that it calls: its "
		"callers, their callers, and so on, each with its share of the stall time of the "
		"run. NAME can also be data: then the code that uses it comes first; --data and "
		"--code "
		"say which is meant. Names are as for memspy show. Without NAME, whole call paths "
		"are "
		"listed, as by 'memspy report --by path'.\n\n"
		"A recursive call counts as the outermost one of its line. A function that is "
		"entered by a jump (a tail call) appears to be called by the caller of the "
		"function that jumps.\n\n"
		"Runs of memspy run have callers with --call-paths, those of memspy sample with "
		"its timer always.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy callers memset\twho has memory cleared\n"
		    "memspy callers Matrix.Y\twho uses Matrix.Y, by call path\n"
		    "memspy callers\tthe call paths that wait the most\n",
	.options = { callers_tables, false },
	.run = run_callers,
};
