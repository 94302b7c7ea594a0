/* cli/commands/hide.c - memspy hide: leave data out. */
#include "cli/commands/commands.h"
#include "cli/options/rules.h"

static const struct ms_opt hide_rows[] = {
	MS_OPTIONS_RULE_CODE_ROW,
	MS_OPTIONS_RULE_ROWS,
	{ .name = NULL },
};
static const struct ms_opt *const hide_tables[] = { hide_rows, NULL };

static int run_hide(int argc, char *const argv[])
{
	return ms_options_make_rules(&ms_commands_hide, MS_RULE_HIDE, argc, argv);
}

const struct ms_cli_command ms_commands_hide = {
	.name = "hide",
	.usage = "hide [options] DATA... [@RUN]",
	.brief = "add data (or code) up as <hidden>",
	.full = "Shows all of it as one thing, <hidden>, so that shares still add up to the whole."
		"\n\nThis is a rule, kept in the run database: it holds for all runs of the "
		"program, those that are there and those to come, also when the program was edited "
		"and built again. 'memspy rules' lists, exports and removes rules. @RUN names the "
		"run whose names are meant (default: the latest).",
	.examples = "memspy hide '<stack>'\twhat the stack does is of no interest\n"
		    "memspy hide --code --pattern lib:libc.so.6\tnor what the C library does\n",
	.options = { hide_tables, false },
	.run = run_hide,
};
