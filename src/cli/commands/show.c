/* cli/commands/show.c - memspy show: everything about one bin, or about any union of bins. */
#include "cli/commands/commands.h"
#include "cli/list_command.h"

static const struct ms_opt show_rows[] = {
	{ .kind = MS_OPT_LIST,
	  .letter = 'd',
	  .name = "data",
	  .value = "NAME",
	  .offset = offsetof(struct ms_cli_list_command, data),
	  .brief = "of this data (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP },
	{ .kind = MS_OPT_LIST,
	  .letter = 'c',
	  .name = "code",
	  .value = "NAME",
	  .offset = offsetof(struct ms_cli_list_command, code),
	  .brief = "in this code (may be repeated)",
	  .full = MS_OPTIONS_NAME_HELP },
	MS_OPTIONS_DB_ROW(struct ms_cli_list_command, report),
	MS_OPTIONS_RULES_ROW(struct ms_cli_list_command, report),
	MS_OPTIONS_RANK_ROWS(struct ms_cli_list_command, report),
	MS_OPTIONS_REPORT_ROWS(struct ms_cli_list_command, report),
	MS_OPTIONS_OUTPUT_ROW(struct ms_cli_list_command, report),
	{ .name = NULL },
};
static const struct ms_opt *const show_tables[] = { show_rows, NULL };

static int run_show(int argc, char *const argv[])
{
	return ms_cli_show(&ms_commands_show, argc, argv);
}

const struct ms_cli_command ms_commands_show = {
	.name = "show",
	.usage = "show [options] [NAME]... [RUN]",
	.brief = "show everything about data in code: a bin, or any union of bins",
	.full = "Shows the time, references, misses and their causes of the chosen data in the "
		"chosen code, "
		"which data evicted it from the caches, where it was allocated, and its hottest "
		"lines. "
		"Each NAME is that of data or code; --data and --code say which is "
		"meant. " MS_OPTIONS_NAME_HELP " Without any code all code is meant, "
		"without data all data; without both, the bin that waits the most.\n\n"
		"RUN is @3 or 3, @latest (the default), or a tag.",
	.examples = "memspy show\tthe bin that waits the most\n"
		    "memspy show Y BlkMultiply\tone bin, by parts of its names\n"
		    "memspy show --data Matrix.Y --code BlkMultiply\tthe same\n"
		    "memspy show --data 'Matrix.*' @3\tseveral data in all code of run 3\n",
	.options = { show_tables, false },
	.run = run_show,
};
