/* cli/commands/split.c - memspy split: keep parts of data apart. */
#include "cli/commands/commands.h"
#include "cli/options/rules.h"

static const struct ms_opt split_rows[] = {
	{ .kind = MS_OPT_TEXT,
	  .letter = 'b',
	  .name = "by",
	  .value = "HOW",
	  .offset = offsetof(struct ms_options_rules, by),
	  .brief = "size, thread, field, or caller=N" },
	MS_OPTIONS_RULE_ROWS,
	{ .name = NULL },
};
static const struct ms_opt *const split_tables[] = { split_rows, NULL };

static int run_split(int argc, char *const argv[])
{
	return ms_options_make_rules(&ms_commands_split, MS_RULE_SPLIT, argc, argv);
}

const struct ms_cli_command ms_commands_split = {
	.name = "split",
	.usage = "split [options] --by HOW DATA... [@RUN]",
	.brief = "keep parts of data apart: by size, thread, field or caller",
	.full = "Data that comes from one allocation is one data structure by default: --by size "
		"keeps "
		"blocks of different size classes apart (powers of two), --by thread those of "
		"different threads, --by field the members of a structure, where the types are "
		"known. These hold for runs from now on. --by caller=N keeps apart, and together, "
		"what the same N functions have allocated; it holds for all runs. Call paths that "
		"were merged during a run ({other paths}) need another one, with the --max-paths "
		"that this command names."
		"\n\nThis is a rule, kept in the run database: it holds for all runs of the "
		"program, those that are there and those to come, also when the program was edited "
		"and built again. 'memspy rules' lists, exports and removes rules. @RUN names the "
		"run whose names are meant (default: the latest).",
	.examples = "memspy split --by size buffer\tsmall and large buffers\n"
		    "memspy split --by caller=1 'node.*'\tby the function that allocates\n",
	.options = { split_tables, false },
	.run = run_split,
};
