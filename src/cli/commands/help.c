/* cli/commands/help.c - memspy help: for people, and for `make install` as man pages and
 * completion. */
#include <string.h>

#include "cli/cli_priv.h"
#include "cli/commands/commands.h"
#include "cli/help/help.h"

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
	  .choices = "bash|zsh|fish",
	  .offset = AT(completion),
	  .brief = "write a completion script for bash, zsh or fish",
	  .full = "make install puts them where these shells look. By hand: for bash into "
		  "~/.local/share/bash-completion/completions/memspy, for zsh as _memspy into a "
		  "folder of $fpath, for fish into ~/.config/fish/completions/memspy.fish." },
	{ .name = NULL },
};
static const struct ms_opt *const help_tables[] = { help_options, NULL };

static int show(const struct ms_cli_command *cmd, bool man)
{
	if (man)
		ms_help_man(cmd, stdout);
	else if (cmd == NULL)
		ms_help_overview(stdout);
	else
		ms_help_command(cmd);
	return MS_CLI_EXIT_OK;
}

static int help_about(const struct ms_words *rest, bool man)
{
	const struct ms_cli_command *cmd = NULL;
	struct ms_err err;

	if (rest->at.n > 1) {
		ms_fail(&err, MS_EUSAGE, "help expects one command, not '%s' too", rest->at.at[1]);
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

static int complete(const char *shell)
{
	static const struct {
		const char *shell;
		void (*write)(FILE *out);
	} writers[] = {
		{ "bash", ms_help_bash_completion },
		{ "zsh", ms_help_zsh_completion },
		{ "fish", ms_help_fish_completion },
	};

	for (size_t i = 0; i < MS_COUNT(writers); i++)
		if (strcmp(writers[i].shell, shell) == 0)
			writers[i].write(stdout);
	return MS_CLI_EXIT_OK;
}

static int run_help(int argc, char *const argv[])
{
	struct help_options options = { 0 };
	struct ms_words rest = { 0 };
	int status;

	if (ms_cli_options(&ms_commands_help, argc, argv, &options, &rest, &status))
		return status;
	if (options.completion != NULL) {
		status = complete(options.completion);
	} else {
		status = help_about(&rest, options.man);
	}
	ms_vec_free(&rest.at);
	return status;
}

const struct ms_cli_command ms_commands_help = {
	.name = "help",
	.usage = "help [options] [COMMAND]",
	.brief = "explain memspy or one of its commands",
	.full = "Shows the commands of memspy or, with a COMMAND, its options and examples.",
	.examples = "memspy help run\tall options of memspy run\n"
		    "memspy help --man run | man -l -\tthe same as a manual page\n",
	.options = { help_tables, false },
	.run = run_help,
};
