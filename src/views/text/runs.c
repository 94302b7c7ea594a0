/* views/text/runs.c - the list of runs, as text. */
#include "views/views.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/describe/checkpoint.h"
#include "analysis/describe/describe.h"
#include "analysis/summary/rounded_shares.h"
#include "base/table.h"
#include "run/enum_words.h"
#include "run/run_list.h"
#include "views/shared.h"
#include "views/text/page.h"

/* Columns that only some lists need. */
struct extra {
	bool from;   /* some run came out of another */
	bool commit; /* some has one */
	bool note;
};

static struct extra extra_of(const struct ms_run_list *heads)
{
	struct extra e = { false, false, false };

	for (size_t i = 0; i < heads->at.n; i++) {
		e.from |= heads->at.at[i].parent != 0;
		e.commit |= heads->at.at[i].git_commit != NULL;
		e.note |= heads->at.at[i].note != NULL;
	}
	return e;
}

/* "fork @3" */
static void from_cell(struct ms_table *table, const struct ms_run_list_entry *head)
{
	if (head->parent != 0)
		ms_table_text(table,
			      ms_arena_printf(&table->arena, "%s @%" PRId64,
					      ms_run_relation_word(head->relation), head->parent));
	else
		ms_table_text(table, NULL);
}

static void runs_columns(struct ms_table *table, const struct extra *extra)
{
	ms_views_text_number_column(table, "Run", 0);
	if (extra->from)
		ms_views_text_words_column(table, "From", 0, MS_CUT_END, 0);
	ms_views_text_words_column(table, "Tag", 8, MS_CUT_END, 0);
	ms_views_text_words_column(table, "Started", 0, MS_CUT_END, 2);
	ms_views_text_number_column(table, "Seconds", 8);
	ms_views_text_number_column(table, "References", 5);
	ms_views_text_number_column(table, "Misses", 10);
	ms_views_text_number_column(table, "Miss %", 11);
	ms_views_text_words_column(table, "End", 0, MS_CUT_END, 6);
	ms_views_text_number_column(table, "Size", 4);
	ms_views_text_words_column(table, "Machine", 8, MS_CUT_START, 7);
	if (extra->commit)
		ms_views_text_words_column(table, "Commit", 0, MS_CUT_END, 9);
	ms_views_text_words_column(table, "Program", 16, MS_CUT_FOLDER, 0);
	if (extra->note)
		ms_views_text_words_column(table, "Note", 12, MS_CUT_END, 3);
}

/* "1f3a9c2+": the first seven figures, and whether there were changes. */
static void commit_cell(struct ms_table *table, const struct ms_run_list_entry *head)
{
	ms_table_text(table, head->git_commit == NULL
				     ? NULL
				     : ms_arena_printf(&table->arena, "%.7s%s", head->git_commit,
						       head->git_dirty ? "+" : ""));
}

static void figure_cells(struct ms_table *table, const struct ms_run_list_entry *head)
{
	ms_table_real(table, head->wall_seconds, 1);
	if (!ms_views_run_has_references(head)) {
		ms_table_none(table);
		ms_table_none(table);
	} else {
		ms_table_count(table, head->references);
		ms_table_count(table, head->level_misses);
	}
	if (head->references > 0)
		ms_table_real(table, ms_summary_share(head->level_misses, head->references) * 100,
			      1);
	else
		ms_table_none(table);
}

/* A joined run is simulated and sampled. */
static const char *machine_text(struct ms_arena *arena, const struct ms_run_list_entry *head)
{
	if (head->source == NULL)
		return head->machine;
	return head->level != NULL ? ms_arena_printf(arena, "%s + %s", head->machine, head->source)
				   : ms_arena_printf(arena, "real: %s", head->source);
}

static void runs_row(struct ms_table *table, const struct ms_run_list_entry *head,
		     const struct extra *extra)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_table_text(table, ms_arena_printf(&table->arena, "@%" PRId64, head->id));
	if (extra->from)
		from_cell(table, head);
	ms_table_text(table, ms_views_run_tags(&table->arena, head));
	ms_table_text(table, head->started);
	figure_cells(table, head);
	ms_describe_head_end(&text, head);
	ms_table_text(table, text.at);
	if (head->bytes > 0)
		ms_table_size(table, head->bytes);
	else
		ms_table_none(table);
	ms_table_text(table, machine_text(&table->arena, head));
	if (extra->commit)
		commit_cell(table, head);
	ms_text_clear(&text);
	ms_describe_command(&text, head->program, head->argv.at, head->argv.n);
	ms_table_text(table, text.at);
	if (extra->note)
		ms_table_text(table, head->note);
	ms_text_free(&text);
}

int ms_views_text_runs(const struct ms_run_list *heads, const struct ms_views_options *options,
		       FILE *out, struct ms_err *err)
{
	struct ms_views_text_page page = ms_views_text_page_of(options, out);
	struct extra extra = extra_of(heads);
	struct ms_table table;

	(void)err;
	if (heads->at.n == 0) {
		ms_views_text_line(&page, options->chosen ? "There are no such runs."
							  : "There are no runs yet.");
		ms_views_text_next(&page, options,
				   options->chosen ? "memspy runs" : "memspy run PROGRAM");
		return MS_OK;
	}
	ms_table_open(&table, out, MS_TABLE_TEXT, page.width, page.colour);
	runs_columns(&table, &extra);
	for (size_t i = ms_views_runs_first(heads, options); i < heads->at.n; i++)
		runs_row(&table, &heads->at.at[i], &extra);
	ms_table_close(&table);
	ms_views_text_next(&page, options, "memspy report @%" PRId64,
			   heads->at.at[heads->at.n - 1].id);
	return MS_OK;
}
