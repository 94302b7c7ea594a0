/* views/csv/runs.c - the list of runs, as CSV. */
#include "views/views.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/describe/checkpoint.h"
#include "analysis/describe/describe.h"
#include "base/table.h"
#include "run/enum_words.h"
#include "run/run_list.h"
#include "views/shared.h"

/* Empty columns if the references of the run were not counted. */
static void csv_simulated(struct ms_table *table, const struct ms_run_list_entry *head)
{
	if (!ms_views_run_has_references(head)) {
		for (int i = 0; i < 4; i++)
			ms_table_text(table, NULL);
		return;
	}
	ms_table_count(table, head->instructions);
	ms_table_count(table, head->references);
	ms_table_text(table, head->level);
	ms_table_count(table, head->level_misses);
}

static void csv_row(struct ms_table *table, const struct ms_run_list_entry *head)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_table_text(table, ms_arena_printf(&table->arena, "%" PRId64, head->id));
	ms_table_text(table, head->tag);
	ms_table_text(table, head->started);
	ms_table_text(table, head->program);
	ms_describe_command(&text, head->program, head->argv.at, head->argv.n);
	ms_table_text(table, text.at);
	ms_text_free(&text);
	ms_table_text(table, head->frontend);
	ms_table_text(table, head->machine);
	ms_table_text(table, ms_run_end_word(head->end));
	ms_table_text(table, ms_arena_printf(&table->arena, "%d", head->exit_status));
	ms_table_real(table, head->wall_seconds, 0);
	csv_simulated(table, head);
	ms_table_text(table, head->parent != 0
				     ? ms_arena_printf(&table->arena, "%" PRId64, head->parent)
				     : NULL);
	ms_table_text(table, head->parent != 0 ? ms_run_relation_word(head->relation) : NULL);
	ms_table_text(table, ms_views_run_tags(&table->arena, head));
	ms_table_text(table, head->note);
	ms_table_text(table, head->build_id);
	ms_table_text(table, head->git_commit);
	ms_table_text(table, head->git_commit == NULL ? NULL : head->git_dirty ? "1" : "0");
	ms_table_text(table, head->host);
	ms_table_count(table, head->bytes);
	ms_table_text(table, head->source);
	if (head->source != NULL)
		ms_table_count(table, head->samples);
	else
		ms_table_text(table, NULL);
	ms_table_text(table, head->checkpoint.system != NULL
				     ? ms_describe_checkpoint_state(&head->checkpoint)
				     : NULL);
}

int ms_views_csv_runs(const struct ms_run_list *heads, const struct ms_views_options *options,
		      FILE *out, struct ms_err *err)
{
	static const char *const keys[] = {
		"id",           "tag",        "started", "program",      "command",
		"frontend",     "machine",    "end",     "exit_status",  "wall_seconds",
		"instructions", "references", "level",   "level_misses", "parent",
		"relation",     "tags",       "note",    "build_id",     "git_commit",
		"git_dirty",    "host",       "bytes",   "source",       "samples",
		"checkpoint"
	};
	struct ms_table table;

	(void)err;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	for (size_t i = ms_views_runs_first(heads, options); i < heads->at.n; i++)
		csv_row(&table, &heads->at.at[i]);
	ms_table_close(&table);
	return MS_OK;
}
