/* cli/commands/lines.c - memspy lines: the source, annotated. */
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "analysis/summary/name_match.h"
#include "base/near.h"
#include "cli/commands/commands.h"
#include "cli/load_run.h"
#include "cli/options/report.h"
#include "cli/options/sources.h"
#include "cli/remarks.h"
#include "views/lines.h"

enum { CONTEXT = 3 };

struct lines_command {
	struct ms_options_report report;
	struct ms_opt_list file;
	struct ms_opt_list code;
	struct ms_opt_list source;
	struct ms_words names; /* of files or code */
	uint64_t context;
	bool all;
};

static const struct ms_opt lines_rows[] = {
	{ .kind = MS_OPT_LIST,
	  .letter = 'f',
	  .name = "file",
	  .value = "NAME",
	  .offset = offsetof(struct lines_command, file),
	  .brief = "only lines of this source file (may be repeated)",
	  .full = "Its path, the last parts of it (\"matmul.c\", \"src/matmul.c\"), a pattern "
		  "(* ? [), or a piece of just one path." },
	{ .kind = MS_OPT_LIST,
	  .letter = 'c',
	  .name = "code",
	  .value = "NAME",
	  .offset = offsetof(struct lines_command, code),
	  .brief = "only lines of this code (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP },
	{ .kind = MS_OPT_NUMBER,
	  .name = "context",
	  .value = "N",
	  .offset = offsetof(struct lines_command, context),
	  .max = 1000000,
	  .brief = "show N lines around hot ones (default: 3)" },
	{ .kind = MS_OPT_FLAG,
	  .name = "all",
	  .offset = offsetof(struct lines_command, all),
	  .brief = "show whole files",
	  .full = "All lines of every file with a hot line, and of those that --file names." },
	MS_OPTIONS_SOURCE_ROW(struct lines_command, source),
	MS_OPTIONS_DB_ROW(struct lines_command, report),
	MS_OPTIONS_RULES_ROW(struct lines_command, report),
	MS_OPTIONS_RANK_ROWS(struct lines_command, report),
	MS_OPTIONS_FORMAT_ROWS(struct lines_command, report),
	{ .kind = MS_OPT_REAL,
	  .name = "threshold",
	  .value = "PERCENT",
	  .offset = offsetof(struct lines_command, report.threshold),
	  .max = 100,
	  .brief = "leave lines with smaller shares to the rest",
	  .full = "Of the total stall time, in per cent. Default in text: 0.1, and 0 with --file "
		  "or "
		  "--code; JSON and CSV hold everything." },
	{ .kind = MS_OPT_TEXT,
	  .name = "latency",
	  .value = "NAME=CYCLES,...",
	  .offset = offsetof(struct lines_command, report.latency),
	  .brief = "other latencies than the run's: L2=12,L3=40,memory=200" },
	MS_OPTIONS_COST_ROW(struct lines_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct lines_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const lines_tables[] = { lines_rows, NULL };

/* Whether it is a file's path or the last parts of one. */
static bool is_file(const struct ms_run *run, const char *name)
{
	size_t n = strlen(name);

	for (size_t i = 0; i < run->lines.n; i++) {
		const char *file = run->lines.at[i].file;
		size_t length = file != NULL ? strlen(file) : 0;

		if (n > 0 && length >= n && strcmp(file + length - n, name) == 0 &&
		    (length == n || file[length - n - 1] == '/'))
			return true;
	}
	return false;
}

/* The words of an option, and the names that are meant so. */
static void choose(struct ms_words *all, const struct ms_opt_list *option,
		   const struct lines_command *c, const struct ms_run *run, bool files)
{
	for (size_t i = 0; i < option->words.n; i++)
		*ms_vec_add(&all->at) = option->words.at[i];
	for (size_t i = 0; i < c->names.at.n; i++)
		if (is_file(run, c->names.at.at[i]) == files)
			*ms_vec_add(&all->at) = c->names.at.at[i];
}

static bool is_code(const struct ms_run *run, const char *name)
{
	for (size_t i = 0; i < run->codes.n; i++)
		if (ms_summary_is_exactly(run->codes.at[i].name, name) ||
		    ms_summary_is_like(run->codes.at[i].name, name) ||
		    ms_summary_is_part_any_case(run->codes.at[i].name, name))
			return true;
	return false;
}

/* A name is neither: a mistyped file must not be answered with a list of functions. */
static int refuse_name(const struct ms_run *run, const char *name, struct ms_err *err)
{
	struct ms_near near = { .word = name };

	for (size_t i = 0; i < run->lines.n; i++)
		if (run->lines.at[i].file != NULL)
			ms_near_try(&near, ms_base_name(run->lines.at[i].file));
	for (size_t i = 0; i < run->codes.n; i++)
		ms_near_try(&near, run->codes.at[i].name);
	if (near.best != NULL)
		return ms_fail(err, MS_ENOENT,
			       "there is no source file and no code \"%s\" in this run; did you "
			       "mean \"%.200s\"?",
			       name, near.best);
	return ms_fail(err, MS_ENOENT,
		       "there is no source file and no code \"%s\" in this run; memspy lines "
		       "lists the files, memspy code the code",
		       name);
}

static int check_names(const struct lines_command *c, const struct ms_run *run, struct ms_err *err)
{
	for (size_t i = 0; i < c->names.at.n; i++)
		if (!is_file(run, c->names.at.at[i]) && !is_code(run, c->names.at.at[i]))
			return refuse_name(run, c->names.at.at[i], err);
	return MS_OK;
}

static int make(struct ms_lines *lines, const struct lines_command *c, const struct ms_run *run,
		struct ms_err *err)
{
	struct ms_words code = { 0 }, file = { 0 };

	MS_TRY(check_names(c, run, err));
	choose(&code, &c->code, c, run, false);
	choose(&file, &c->file, c, run, true);
	struct ms_text remarks = MS_TEXT_INIT;
	const struct ms_lines_wanted wanted = { code.at.at, code.at.n, file.at.at, file.at.n,
						&remarks };
	int result = ms_lines_make(lines, run, &wanted, c->report.latency, err);
	ms_cli_print_remarks(&remarks);
	ms_vec_free(&code.at);
	ms_vec_free(&file.at);
	if (result == MS_OK)
		ms_paths_add_inclusive_source(lines);
	return result;
}

static int print(const void *arg, const struct ms_run *run, FILE *out, struct ms_err *err)
{
	const struct lines_command *c = arg;
	struct ms_views_lines_options options = { .context = c->context,
						  .whole_files = c->all,
						  .folders = c->source.words.at,
						  .n_folders = c->source.words.n };
	enum ms_views_format format;
	struct ms_lines lines;

	MS_TRY(ms_options_read_view(&c->report, out, &format, &options.view, err));
	MS_TRY(make(&lines, c, run, err));
	ms_views_lines_writers[format](&lines, &options, out);
	ms_lines_free(&lines);
	return MS_OK;
}

static int run_lines(int argc, char *const argv[])
{
	struct lines_command command = { .report = MS_OPTIONS_REPORT_DEFAULTS, .context = CONTEXT };
	struct ms_words words = { 0 };
	struct ms_err err;
	int status = MS_CLI_EXIT_OK;

	if (!ms_cli_options(&ms_commands_lines, argc, argv, &command, &words, &status)) {
		command.report.asked_names = &command.names;
		command.report.asked_code = &command.code;
		ms_options_check_sources(&command.source);
		if (ms_cli_separate_words(&command.report, &words, &command.names, &err) != MS_OK ||
		    ms_options_show_report(&command.report, &words, print, &command, &err) != MS_OK)
			status = ms_cli_fail(&err);
	}
	ms_vec_free(&command.file.words);
	ms_vec_free(&command.code.words);
	ms_vec_free(&command.source.words);
	ms_vec_free(&command.names.at);
	ms_vec_free(&words.at);
	return status;
}

const struct ms_cli_command ms_commands_lines = {
	.name = "lines",
	.usage = "lines [options] [NAME]... [RUN]",
	.brief = "show the source with the time, misses and data of each line",
	.full = "Shows the lines of source that wait for memory the most, file by file, with their "
		"stall time, instructions, references, misses of each level, the data that waits "
		"the most (and how many others there are), the function, and a few lines around "
		"them. What is not shown is added up as the rest, code without a line number as "
		"<unknown line>.\n\n"
		"Figures belong to the line where the code stands, also when the compiler inlined "
		"it into other functions: f > g is code of g in f. A source that cannot be read is "
		"listed by line numbers; one that is newer than the program gets a warning.\n\n"
		"NAME is a source file or code, as for --file and --code: only its lines.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy lines\tthe hottest lines of the latest run\n"
		    "memspy lines BlkMultiply --context 10\tone function, with more around\n"
		    "memspy lines matmul.c --all @3\ta whole file of run 3\n",
	.options = { lines_tables, false },
	.run = run_lines,
};
