/* cli/commands/data.c - memspy data: data by stall time. */
#include "cli/commands/commands.h"
#include "cli/list_command.h"

static const struct ms_opt data_rows[] = {
	MS_CLI_LIST_NAME_ROW('c', "code", code, "only what this code does (may be repeated)"),
	MS_CLI_LIST_ROWS,
};
static const struct ms_opt *const data_tables[] = { data_rows, NULL };

static int run_data(int argc, char *const argv[])
{
	return ms_cli_list(&ms_commands_data, argc, argv);
}

const struct ms_cli_command ms_commands_data = {
	.name = "data",
	.usage = "data [options] [NAME]... [RUN]",
	.brief = "list data by stall time, in all code or in some",
	.full = "Lists the data that waits the most for memory, with its misses, objects and "
		"sizes; with a NAME of code, as far as this code uses it." MS_CLI_LIST_RUN_SENTENCE,
	.examples = "memspy data\tthe worst data of the latest run\n"
		    "memspy data --code smvp\twhich data smvp waits for\n",
	.options = { data_tables, false },
	.run = run_data,
};
