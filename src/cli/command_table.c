/* cli/command_table.c - the command table: a new command is a row here and a file
 * commands/<name>.c. */
#include <string.h>

#include "base/near.h"
#include "cli/cli_priv.h"
#include "cli/commands/commands.h"
#include "cli/help/help.h"
#include "collect/collect.h"

/* A row each, in the order in which help shows them. */
/* clang-format off */
const struct ms_cli_command *const ms_cli_commands[] = {
	&ms_commands_run,
	&ms_commands_sample,
	&ms_commands_report,
	&ms_commands_advise,
	&ms_commands_verify,
	&ms_commands_matrix,
	&ms_commands_data,
	&ms_commands_code,
	&ms_commands_show,
	&ms_commands_lines,
	&ms_commands_evictions,
	&ms_commands_sharing,
	&ms_commands_fields,
	&ms_commands_threads,
	&ms_commands_pmu,
	&ms_commands_accuracy,
	&ms_commands_compare_sources,
	&ms_commands_join,
	&ms_commands_merge,
	&ms_commands_ranks,
	&ms_commands_html,
	&ms_commands_serve,
	&ms_commands_diff,
	&ms_commands_export,
	&ms_commands_shell,
	&ms_commands_fullname,
	&ms_commands_callers,
	&ms_commands_rename,
	&ms_commands_combine,
	&ms_commands_split,
	&ms_commands_hide,
	&ms_commands_rules,
	&ms_commands_runs,
	&ms_commands_note,
	&ms_commands_tag,
	&ms_commands_replay,
	&ms_commands_check,
	&ms_commands_machine,
	&ms_commands_doctor,
	&ms_commands_help,
	NULL,
};
/* clang-format on */

const struct ms_cli_command *ms_cli_find(const char *name)
{
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++)
		if (strcmp(ms_cli_commands[i]->name, name) == 0)
			return ms_cli_commands[i];
	return NULL;
}

int ms_cli_unknown(const char *name, struct ms_err *err)
{
	struct ms_near near = { .word = name };
	struct ms_err ignored;

	if (ms_launch_check_program(name, &ignored) == MS_OK)
		return ms_fail(err, MS_EUSAGE,
			       "'%s' is a program, not a command of memspy; to profile it: "
			       "memspy run -- %s",
			       name, name);
	if (ms_launch_is_in_folder(name))
		return ms_fail(err, MS_EUSAGE,
			       "unknown command '%s'; to profile the program in this folder: "
			       "memspy ./%s",
			       name, name);
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++)
		ms_near_try(&near, ms_cli_commands[i]->name);
	if (near.best != NULL)
		return ms_fail(err, MS_EUSAGE, "unknown command '%s'; did you mean '%s'?", name,
			       near.best);
	return ms_fail(err, MS_EUSAGE, "unknown command '%s'", name);
}

const struct ms_opt *ms_cli_next_option(struct ms_help_options *rows)
{
	const struct ms_opt *const *tables = rows->set->tables;

	while (tables != NULL && tables[rows->table] != NULL) {
		const struct ms_opt *row = &tables[rows->table][rows->row];

		rows->row++;
		if (row->name != NULL)
			return row;
		rows->table++;
		rows->row = 0;
	}
	/* After the tables comes --help, which needs no row. */
	return rows->row++ == 0 ? &ms_opt_help_row : NULL;
}
