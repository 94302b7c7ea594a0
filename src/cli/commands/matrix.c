/* cli/commands/matrix.c - memspy matrix: the shares of code and data. */
#include "cli/commands/commands.h"
#include "cli/list_command.h"

static const struct ms_opt matrix_rows[] = {
	MS_OPTIONS_FOLD_ROWS(struct ms_cli_list_command, report),
	MS_CLI_LIST_ROWS,
};
static const struct ms_opt *const matrix_tables[] = { matrix_rows, NULL };

static int run_matrix(int argc, char *const argv[])
{
	return ms_cli_list(&ms_commands_matrix, argc, argv);
}

const struct ms_cli_command ms_commands_matrix = {
	.name = "matrix",
	.usage = "matrix [options] [RUN]",
	.brief = "show the matrix of code and data alone",
	.full = "Shows the share that each code (down) has with each data (across) in the total "
		"stall time, as 'memspy report' does, without the totals." MS_CLI_LIST_RUN_SENTENCE,
	.examples = "memspy matrix --top 5\tthe five worst of both\n",
	.options = { matrix_tables, false },
	.run = run_matrix,
};
