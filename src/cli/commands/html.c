/* cli/commands/html.c - memspy html: a run as one file for a browser. */
#include <stdlib.h>

#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "cli/options/sources.h"
#include "views/html/html.h"

struct html_command {
	struct ms_options_report report;
	struct ms_opt_list source;
	bool no_source;
};

static const struct ms_opt html_rows[] = {
	MS_OPTIONS_DB_ROW(struct html_command, report),
	MS_OPTIONS_RULES_ROW(struct html_command, report),
	MS_OPTIONS_RANK_ROWS(struct html_command, report),
	{ .kind = MS_OPT_TEXT,
	  .letter = 'o',
	  .name = "output",
	  .value = "FILE",
	  .offset = offsetof(struct html_command, report.output),
	  .brief = "write the page to FILE (default: memspy.html; -: standard output)" },
	{ .kind = MS_OPT_FLAG,
	  .name = "no-source",
	  .offset = offsetof(struct html_command, no_source),
	  .brief = "leave the text of the source and instructions out",
	  .full = "The page then has names and numbers of lines, with their figures. Names of "
		  "functions, data and files are in it in any case." },
	MS_OPTIONS_SOURCE_ROW(struct html_command, source),
	{ .kind = MS_OPT_TEXT,
	  .name = "latency",
	  .value = "NAME=CYCLES,...",
	  .offset = offsetof(struct html_command, report.latency),
	  .brief = "other latencies than the run's: L2=12,L3=40,memory=200" },
	MS_OPTIONS_COST_ROW(struct html_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const html_tables[] = { html_rows, NULL };

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct html_command *c = arg;
	const struct ms_html_options options = {
		.latency = c->report.latency,
		.no_source = c->no_source,
		.folders = c->source.words.at,
		.n_folders = c->source.words.n,
	};

	char *page = NULL;
	size_t size = 0;
	FILE *whole = open_memstream(&page, &size);

	/* The file is opened only once the page can be made: no incomplete page is left. */
	if (whole == NULL)
		return ms_fail_errno(err, "the page: could not open a stream");
	int code = ms_html_run(run, &options, whole, err);
	fclose(whole);
	if (code == MS_OK)
		fwrite(page, 1, size, out);
	free(page);
	return code;
}

static int run_html(int argc, char *const argv[])
{
	static const char usual[] = "memspy.html";
	struct html_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.output = usual;
	if (!ms_cli_options(&ms_commands_html, argc, argv, &command, &words, &status)) {
		ms_options_check_sources(&command.source);
		if (ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
			status = ms_cli_fail(&err);
		else if (command.report.output == usual)
			fprintf(stderr, "memspy: the page is %s, for a browser\n", usual);
	}
	ms_vec_free(&command.source.words);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_html = {
	.name = "html",
	.usage = "html [options] [RUN]",
	.brief = "write a run as one HTML file, for a browser",
	.full = "Writes a page that shows the run as pictures and tables: where time goes, the "
		"matrix of code and data, everything about each bin and each data, which "
		"data evicts which, what processors share, the source with its figures, and the "
		"caches over "
		"time. It is one file, fetches nothing, works without a network, and can be "
		"mailed; the figures in it are those of the other commands' --json.\n\n"
		"The text of hot lines of your own source files is in it, with three lines around "
		"them, unless --no-source is given.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy html\tthe latest run, into memspy.html\n"
		    "memspy html @3 -o before.html\trun 3\n"
		    "memspy html --no-source -o - >page.html\twithout any source text\n",
	.options = { html_tables, false },
	.run = run_html,
};
