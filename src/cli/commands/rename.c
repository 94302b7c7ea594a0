/* cli/commands/rename.c - memspy rename: call data by another name. */
#include "cli/commands/commands.h"
#include "cli/options/rules.h"

static const struct ms_opt rename_rows[] = {
	MS_OPTIONS_RULE_CODE_ROW,
	MS_OPTIONS_RULE_ROWS,
	{ .name = NULL },
};
static const struct ms_opt *const rename_tables[] = { rename_rows, NULL };

static int run_rename(int argc, char *const argv[])
{
	return ms_options_make_rules(&ms_commands_rename, MS_RULE_RENAME, argc, argv);
}

const struct ms_cli_command ms_commands_rename = {
	.name = "rename",
	.usage = "rename [options] OLD NEW [@RUN]",
	.brief = "call data (or code) by another name",
	.full = "Shows OLD as NEW in every report. OLD is its name, or a part of just one name."
		"\n\nThis is a rule, kept in the run database: it holds for all runs of the "
		"program, those that are there and those to come, also when the program was edited "
		"and built again. 'memspy rules' lists, exports and removes rules. @RUN names the "
		"run whose names are meant (default: the latest).",
	.examples = "memspy rename Matrix.Y weights\twhoever allocates it\n"
		    "memspy rename --code 'operator()(int)' kernel\ta function\n",
	.options = { rename_tables, false },
	.run = run_rename,
};
