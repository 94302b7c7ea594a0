/* cli/commands/code.c - memspy code: code by stall time. */
#include "cli/commands/commands.h"
#include "cli/list_command.h"

static const struct ms_opt code_rows[] = {
	MS_CLI_LIST_NAME_ROW('d', "data", data, "only what is done to this data (may be repeated)"),
	MS_CLI_LIST_ROWS,
};
static const struct ms_opt *const code_tables[] = { code_rows, NULL };

static int run_code(int argc, char *const argv[])
{
	return ms_cli_list(&ms_commands_code, argc, argv);
}

const struct ms_cli_command ms_commands_code = {
	.name = "code",
	.usage = "code [options] [NAME]... [RUN]",
	.brief = "list code by stall time, with all data or with some",
	.full = "Lists the code that waits the most for memory; with a NAME of data, as far as it "
		"uses that data." MS_CLI_LIST_RUN_SENTENCE,
	.examples = "memspy code\tthe worst code of the latest run\n"
		    "memspy code --data Matrix.Y\twho waits for Matrix.Y\n",
	.options = { code_tables, false },
	.run = run_code,
};
