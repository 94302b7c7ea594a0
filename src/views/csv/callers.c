/* views/csv/callers.c - callers and call paths as CSV. */
#include "views/callers.h"

#include "base/table.h"
#include "views/shared.h"

static void columns(struct ms_table *table, const struct ms_run *run, const char *const *keys)
{
	for (size_t i = 0; keys[i] != NULL; i++)
		ms_table_column(table, (struct ms_table_column){ .key = keys[i] });
	ms_table_column(table, (struct ms_table_column){ .key = ms_views_stall_is_time(run)
									? "stall_ns"
									: "stall_cycles" });
	for (size_t l = 0; l < run->levels.n; l++)
		ms_table_column(table, (struct ms_table_column){
					       .key = ms_arena_printf(&table->arena, "%s_misses",
								      run->levels.at[l].name) });
}

static void misses(struct ms_table *table, const struct ms_run *run, const uint64_t *at)
{
	for (size_t l = 0; l < run->levels.n; l++)
		ms_table_count(table, at[l]);
}

void ms_views_csv_callers(const struct ms_views_callers *v, const struct ms_views_options *options,
			  FILE *out)
{
	static const char *const keys[] = { "depth", "code", "module", "file", "line", NULL };
	const struct ms_paths_callers *c = v->callers;
	const struct ms_run *run = v->summary->run;
	struct ms_table table;

	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	columns(&table, run, keys);
	for (size_t i = 0; i < ms_views_top(c->at.n, options->top); i++) {
		const struct ms_paths_caller *at = &c->at.at[i];
		const struct ms_run_line *line =
			at->line != MS_NONE ? &run->lines.at[at->line] : NULL;

		ms_table_count(&table, at->depth);
		ms_table_text(&table, line != NULL ? run->codes.at[line->code].name
						   : ms_views_caller_name(&table.arena, run,
									  at->line, at->kind));
		ms_table_text(&table, line != NULL ? run->codes.at[line->code].module : NULL);
		ms_table_text(&table, line != NULL ? line->file : NULL);
		if (line != NULL && line->line > 0)
			ms_table_count(&table, line->line);
		else
			ms_table_none(&table);
		ms_table_count(&table, at->stall);
		misses(&table, run, at->misses);
	}
	ms_table_close(&table);
}

int ms_views_csv_paths(struct ms_summary *s, const struct ms_views_options *options, FILE *out,
		       struct ms_err *err)
{
	static const char *const keys[] = { "path", "code", "module", NULL };
	struct ms_paths_rows rows;
	struct ms_paths_leaves leaves;
	struct ms_table table;

	MS_TRY(ms_paths_make_rows(&rows, s, err));
	ms_paths_list_leaves(&leaves, &rows, NULL);
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	columns(&table, s->run, keys);
	for (size_t i = 0; i < ms_views_top(leaves.at.n, options->top); i++) {
		const struct ms_paths_leaf *leaf = &leaves.at.at[i];

		ms_table_text(&table,
			      ms_views_path_name(&table.arena, s->run, leaf->path, leaf->code));
		ms_table_text(&table, s->run->codes.at[leaf->code].name);
		ms_table_text(&table, s->run->codes.at[leaf->code].module);
		ms_table_count(&table, leaf->stall);
		misses(&table, s->run, leaf->misses);
	}
	ms_table_close(&table);
	ms_paths_free_leaves(&leaves);
	ms_paths_free_rows(&rows);
	return MS_OK;
}
