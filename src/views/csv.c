/* views/csv.c - one table a command, as CSV: bins, or what --by asks for. */
#include <inttypes.h>

#include "analysis/metric.h"
#include "analysis/share.h"
#include "views/views_priv.h"

static int entries_csv(const struct ms_summary *whole, struct ms_summary *part,
		       const struct ms_view_options *options, FILE *out, struct ms_err *err)
{
	struct ms_entries *entries = ms_view_list(part, options->by);
	struct ms_table table;

	MS_TRY(ms_metric_sort(whole, entries, options->sort, err));
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	ms_view_entries(whole, entries, ms_view_limit(whole, entries, options, true), MS_WHOLE,
			&table);
	ms_table_close(&table);
	return MS_OK;
}

static int csv_report(struct ms_summary *summary, const struct ms_view_options *options, FILE *out,
		      struct ms_err *err)
{
	return entries_csv(summary, summary, options, out, err);
}

static int csv_show(struct ms_detail *detail, const struct ms_view_options *options, FILE *out,
		    struct ms_err *err)
{
	return entries_csv(&detail->whole, &detail->part, options, out, err);
}

static void runs_row(struct ms_table *table, const struct ms_run_head *head)
{
	struct ms_text text = MS_TEXT_INIT;

	ms_table_text(table, ms_arena_printf(&table->arena, "%" PRId64, head->id));
	ms_table_text(table, head->tag);
	ms_table_text(table, head->started);
	ms_table_text(table, head->program);
	ms_about_command(&text, head->program, head->argv.at, head->argv.n);
	ms_table_text(table, text.at);
	ms_text_free(&text);
	ms_table_text(table, head->frontend);
	ms_table_text(table, head->machine);
	ms_table_text(table, ms_run_end_word(head->end));
	ms_table_text(table, ms_arena_printf(&table->arena, "%d", head->exit_status));
	ms_table_real(table, head->wall_seconds, 0);
	ms_table_count(table, head->instructions);
	ms_table_count(table, head->references);
	ms_table_text(table, head->level);
	ms_table_count(table, head->level_misses);
	ms_table_text(table, head->parent != 0
				     ? ms_arena_printf(&table->arena, "%" PRId64, head->parent)
				     : NULL);
	ms_table_text(table, head->parent != 0 ? ms_run_relation_word(head->relation) : NULL);
}

static int csv_runs(const struct ms_run_heads *heads, const struct ms_view_options *options,
		    FILE *out, struct ms_err *err)
{
	static const char *const keys[] = { "id",           "tag",          "started",
					    "program",      "command",      "frontend",
					    "machine",      "end",          "exit_status",
					    "wall_seconds", "instructions", "references",
					    "level",        "level_misses", "parent",
					    "relation" };
	struct ms_table table;

	(void)err;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	size_t first = options->top && options->top < heads->at.n ? heads->at.n - options->top : 0;
	for (size_t i = first; i < heads->at.n; i++)
		runs_row(&table, &heads->at.at[i]);
	ms_table_close(&table);
	return MS_OK;
}

const struct ms_view ms_view_csv = { "csv", csv_report, csv_show, csv_runs };
