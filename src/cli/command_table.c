/* cli/command_table.c - the command table: a new command is a row here and a file
 * commands/<name>.c. */
#include <string.h>

#include "base/near.h"
#include "cli/cli_priv.h"
#include "collect/collect.h"

/* A row each, in the order in which help shows them. */
/* clang-format off */
const struct ms_cmd *const ms_cli_commands[] = {
	&ms_cmd_run,
	&ms_cmd_sample,
	&ms_cmd_report,
	&ms_cmd_matrix,
	&ms_cmd_data,
	&ms_cmd_code,
	&ms_cmd_show,
	&ms_cmd_lines,
	&ms_cmd_evictions,
	&ms_cmd_sharing,
	&ms_cmd_threads,
	&ms_cmd_pmu,
	&ms_cmd_accuracy,
	&ms_cmd_compare_sources,
	&ms_cmd_html,
	&ms_cmd_serve,
	&ms_cmd_diff,
	&ms_cmd_export,
	&ms_cmd_shell,
	&ms_cmd_fullname,
	&ms_cmd_rename,
	&ms_cmd_combine,
	&ms_cmd_split,
	&ms_cmd_hide,
	&ms_cmd_rules,
	&ms_cmd_runs,
	&ms_cmd_note,
	&ms_cmd_tag,
	&ms_cmd_replay,
	&ms_cmd_check,
	&ms_cmd_machine,
	&ms_cmd_doctor,
	&ms_cmd_help,
	NULL,
};
/* clang-format on */

const struct ms_cmd *ms_cli_find(const char *name)
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

	if (ms_collect_check(name, &ignored) == MS_OK)
		return ms_fail(err, MS_EUSAGE,
			       "'%s' is a program, not a command of memspy; to profile it: "
			       "memspy run -- %s",
			       name, name);
	for (size_t i = 0; ms_cli_commands[i] != NULL; i++)
		ms_near_try(&near, ms_cli_commands[i]->name);
	if (near.best != NULL)
		return ms_fail(err, MS_EUSAGE, "unknown command '%s'; did you mean '%s'?", name,
			       near.best);
	return ms_fail(err, MS_EUSAGE, "unknown command '%s'", name);
}

const struct ms_opt *ms_cli_next_option(struct ms_cli_rows *rows)
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
	/* One step behind the tables stands --help, which needs no row. */
	return rows->row++ == 0 ? &ms_opt_help_row : NULL;
}
