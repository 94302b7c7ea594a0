/* cli/commands/sharing.c - memspy sharing: lines that processors invalidate in each other's caches.
 */
#include "views/sharing.h"

#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "cli/remarks.h"
#include "run/join.h"

struct sharing_command {
	struct ms_options_report report;
	struct ms_opt_list code;
	struct ms_opt_list data;
	struct ms_opt_list line;
};

static const struct ms_opt sharing_rows[] = {
	{ .kind = MS_OPT_LIST,
	  .letter = 'd',
	  .name = "data",
	  .value = "NAME",
	  .offset = offsetof(struct sharing_command, data),
	  .brief = "only lines with this data (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP },
	{ .kind = MS_OPT_LIST,
	  .letter = 'c',
	  .name = "code",
	  .value = "NAME",
	  .offset = offsetof(struct sharing_command, code),
	  .brief = "only lines that this code misses or writes (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP },
	{ .kind = MS_OPT_LIST,
	  .letter = 'l',
	  .name = "line",
	  .value = "ADDRESS",
	  .offset = offsetof(struct sharing_command, line),
	  .brief = "only the cache line at this address (may be repeated)",
	  .full = "In hexadecimal, of any byte in it." },
	MS_OPTIONS_DB_ROW(struct sharing_command, report),
	MS_OPTIONS_RULES_ROW(struct sharing_command, report),
	MS_OPTIONS_RANK_ROWS(struct sharing_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct sharing_command, report),
	{ .kind = MS_OPT_TEXT,
	  .name = "latency",
	  .value = "NAME=CYCLES,...",
	  .offset = offsetof(struct sharing_command, report.latency),
	  .brief = "other latencies than the run's: L2=12,memory=200,peer=60" },
	MS_OPTIONS_COST_ROW(struct sharing_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct sharing_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const sharing_tables[] = { sharing_rows, NULL };

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct sharing_command *c = arg;
	struct ms_text remarks = MS_TEXT_INIT;
	const struct ms_sharing_wanted wanted = { c->code.words.at, c->code.words.n,
						  c->data.words.at, c->data.words.n,
						  c->line.words.at, c->line.words.n,
						  &remarks };
	enum ms_views_format format;
	struct ms_views_options options;
	struct ms_sharing sharing;
	const struct ms_run simulated = ms_run_simulated_part(run);

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options, err));
	int code = ms_sharing_make(&sharing, &simulated, &wanted, c->report.latency, err);

	ms_cli_print_remarks(&remarks);
	MS_TRY(code);
	ms_views_sharing_writers[format](&sharing, &options, out);
	ms_sharing_free(&sharing);
	return MS_OK;
}

static int run_sharing(int argc, char *const argv[])
{
	struct sharing_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.asked_data[0] = &command.data;
	command.report.asked_code = &command.code;
	if (!ms_cli_options(&ms_commands_sharing, argc, argv, &command, &words, &status) &&
	    ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&command.code.words);
	ms_vec_free(&command.data.words);
	ms_vec_free(&command.line.words);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_sharing = {
	.name = "sharing",
	.usage = "sharing [options] [--data NAME]... [--code NAME]... [RUN]",
	.brief = "show lines that processors invalidate in each other's caches",
	.full = "Shows the misses that happened because another processor had written the line, by "
		"data, by lines of code, then line by line of memory: at which bytes and fields, "
		"by which processors, from "
		"which lines of code (the missing and the writing ones), and the stall cycles that "
		"it cost.\n\n"
		"A miss is false sharing when no other processor had written the bytes that it "
		"accesses: "
		"the data only happens to lie in one line, and moving it apart saves the miss. "
		"The most expensive false sharing comes first. Misses that another processor's "
		"cache or remote memory answered cost their latency, others what the misses of "
		"the same instruction cost on average. Where no member is known that lies at the "
		"bytes, Field has their offset in the object.\n\n"
		"The run must have simulated several processors (memspy run --processors 4). RUN "
		"is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy sharing\tthe latest run\n"
		    "memspy sharing --data counters\tthe lines in which one data lies\n"
		    "memspy sharing --line 0x4040c0 @3\tone line of run 3\n",
	.options = { sharing_tables, false },
	.run = run_sharing,
};
