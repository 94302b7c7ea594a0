/* cli/commands/combine.c - memspy combine: several data are one thing. */
#include "cli/commands/commands.h"
#include "cli/options/rules.h"

static const struct ms_opt combine_rows[] = {
	MS_OPTIONS_RULE_CODE_ROW,
	MS_OPTIONS_RULE_ROWS,
	{ .name = NULL },
};
static const struct ms_opt *const combine_tables[] = { combine_rows, NULL };

static int run_combine(int argc, char *const argv[])
{
	return ms_options_make_rules(&ms_commands_combine, MS_RULE_COMBINE, argc, argv);
}

const struct ms_cli_command ms_commands_combine = {
	.name = "combine",
	.usage = "combine [options] NAME DATA... [@RUN]",
	.brief = "show several data (or code) as one",
	.full = "All of these are one thing, called NAME: their figures are added up in every "
		"report. DATA is a name, a part of just one name, or a pattern (* ? [), which also "
		"holds for data of that name in later runs."
		"\n\nThis is a rule, kept in the run database: it holds for all runs of the "
		"program, those that are there and those to come, also when the program was edited "
		"and built again. 'memspy rules' lists, exports and removes rules. @RUN names the "
		"run whose names are meant (default: the latest).",
	.examples = "memspy combine matrices X Y Z\tthree matrices\n"
		    "memspy combine nodes 'node.*'\tall nodes, now and later\n"
		    "memspy combine --code 'C library' 'lib:libc.so*' --pattern\tall code of a "
		    "library\n",
	.options = { combine_tables, false },
	.run = run_combine,
};
