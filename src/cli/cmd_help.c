/* cli/cmd_help.c - memspy help: for people, and for `make install` as man pages and completion. */
#include "cli/cli_priv.h"

struct help_options {
	bool man;
	const char *completion;
};

#define AT(field) offsetof(struct help_options, field)

static const struct ms_opt help_options[] = {
	{ .kind = MS_OPT_FLAG,
	  .name = "man",
	  .offset = AT(man),
	  .brief = "write the manual page (troff) instead" },
	{ .kind = MS_OPT_WORD,
	  .name = "completion",
	  .value = "SHELL",
	  .choices = "bash",
	  .offset = AT(completion),
	  .brief = "write a completion script for this shell (bash)" },
	{ .name = NULL },
};
static const struct ms_opt *const help_tables[] = { help_options, NULL };

static int show(const struct ms_cmd *cmd, bool man)
{
	if (man)
		ms_cli_man(cmd, stdout);
	else if (cmd == NULL)
		ms_cli_overview(stdout);
	else
		ms_cli_help(cmd);
	return MS_EXIT_OK;
}

static int help_about(const struct ms_words *rest, bool man)
{
	const struct ms_cmd *cmd = NULL;
	struct ms_err err;

	if (rest->at.n > 1) {
		ms_fail(&err, MS_EUSAGE, "help wants one command, not '%s' too", rest->at.at[1]);
		return ms_cli_fail(&err);
	}
	if (rest->at.n == 1) {
		cmd = ms_cli_find(rest->at.at[0]);
		if (cmd == NULL) {
			ms_cli_unknown(rest->at.at[0], &err);
			return ms_cli_fail(&err);
		}
	}
	return show(cmd, man);
}

static int run_help(int argc, char *const argv[])
{
	struct help_options options = { 0 };
	struct ms_words rest = { 0 };
	int status;

	if (ms_cli_options(&ms_cmd_help, argc, argv, &options, &rest, &status))
		return status;
	if (options.completion != NULL) {
		ms_cli_bash_completion(stdout);
		status = MS_EXIT_OK;
	} else {
		status = help_about(&rest, options.man);
	}
	ms_vec_free(&rest.at);
	return status;
}

const struct ms_cmd ms_cmd_help = {
	.name = "help",
	.usage = "help [options] [COMMAND]",
	.brief = "explain memspy or one of its commands",
	.full = "Shows the commands of memspy or, with a COMMAND, its options and examples.",
	.examples = "memspy help run\tall options of memspy run\n"
		    "memspy help --man run | man -l -\tthe same as a manual page\n",
	.options = { help_tables, false },
	.run = run_help,
};
