/* cli/commands/threads.c - memspy threads: where time goes, by thread, function and processor. */
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/options/report.h"
#include "run/join.h"
#include "views/threads.h"

struct threads_command {
	struct ms_options_report report;
	uint64_t processor; /* MS_NONE: all */
};

static const struct ms_opt threads_rows[] = {
	{ .kind = MS_OPT_WORD,
	  .name = "by",
	  .value = "WHAT",
	  .offset = offsetof(struct threads_command, report.by),
	  .choices = "all|thread|code|processor",
	  .brief = "list only threads, code or processors",
	  .full = "Default in CSV: threads." },
	{ .kind = MS_OPT_NUMBER,
	  .letter = 'p',
	  .name = "processor",
	  .value = "N",
	  .offset = offsetof(struct threads_command, processor),
	  .max = MS_RUN_PROCESSORS_MOST,
	  .brief = "only functions and threads of this processor" },
	{ .kind = MS_OPT_TEXT,
	  .letter = 's',
	  .name = "sort",
	  .value = "KEY",
	  .offset = offsetof(struct threads_command, report.sort),
	  .brief = "order the list of --by (or threads) by a metric",
	  .full = "Largest first. The keys are the columns of --csv; an unknown key lists them "
		  "all." },
	MS_OPTIONS_DB_ROW(struct threads_command, report),
	MS_OPTIONS_RULES_ROW(struct threads_command, report),
	MS_OPTIONS_RANK_ROWS(struct threads_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct threads_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct threads_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const threads_tables[] = { threads_rows, NULL };

static enum ms_views_threads_by by_of(const char *word)
{
	static const char *const words[] = { [MS_VIEWS_THREADS_ALL] = "all",
					     [MS_VIEWS_THREADS_THREAD] = "thread",
					     [MS_VIEWS_THREADS_CODE] = "code",
					     [MS_VIEWS_THREADS_PROCESSOR] = "processor" };

	for (size_t i = 0; i < MS_COUNT(words); i++)
		if (strcmp(word, words[i]) == 0)
			return (enum ms_views_threads_by)i;
	return MS_VIEWS_THREADS_ALL;
}

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct threads_command *c = arg;
	struct ms_views_threads_options options = { .by = by_of(c->report.by) };
	enum ms_views_format format;
	struct ms_threads threads;
	const struct ms_run simulated = ms_run_simulated_part(run);

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options.view, err));
	MS_TRY(ms_threads_make(&threads, &simulated, (uint32_t)c->processor, err));
	int code = ms_views_threads_writers[format](&threads, &options, out, err);
	ms_threads_free(&threads);
	return code;
}

static int run_threads(int argc, char *const argv[])
{
	struct threads_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS,
					   .processor = MS_NONE };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	command.report.by = "all";
	if (!ms_cli_options(&ms_commands_threads, argc, argv, &command, &words, &status) &&
	    ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
		status = ms_cli_fail(&err);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_threads = {
	.name = "threads",
	.usage = "threads [options] [RUN]",
	.brief = "show where time goes: by thread, function and processor",
	.full = "Shows how long threads, functions and processors computed, waited for memory "
		"(stall) and waited for each other (wait: locks, joins, spinning, for a "
		"processor), how busy each processor was, and how threads ended.\n\n"
		"Normalized time is compute and stall time divided by the processors that were "
		"busy meanwhile: what runs alone counts whole, what four processors do together "
		"counts for a quarter. Functions with much of it, and little parallelism, are "
		"serial bottlenecks.\n\n"
		"Times are virtual, in cycles: one an instruction, and the latencies of the "
		"run's machine; --latency does not change them, since threads waited for each "
		"other with these. Of a sampled run compute and stall time and references have "
		"their 95% interval; elapsed, normalized, waiting and idle time of several "
		"processors have none, as windows do not show who waited between them. RUN is @3 "
		"or 3, @latest (the default), or a tag.",
	.examples = "memspy threads\tthe latest run\n"
		    "memspy threads --by code --top 20\tthe 20 functions with most normalized "
		    "time\n"
		    "memspy threads --by code --processor 0\twhat the first processor did\n"
		    "memspy threads --by thread --sort wait_cycles @3\twho waited the most in run "
		    "3\n",
	.options = { threads_tables, false },
	.run = run_threads,
};
