/* views/csv/evictions.c - which data evicts which, as CSV: one row a place. */
#include "views/evictions.h"

#include "analysis/summary/rounded_shares.h"
#include "base/table.h"
#include "views/intervals.h"

static void csv_row(struct ms_table *table, const struct ms_evictions *e,
		    const struct ms_evictions_row *p)
{
	const struct ms_run *run = e->whole.run;
	const struct ms_run_line *line = &run->lines.at[p->line];
	const struct ms_run_code *code = &run->codes.at[line->code];

	ms_table_text(table, run->levels.at[p->level].name);
	ms_table_text(table, run->data.at[p->victim].name);
	ms_table_text(table, run->data.at[p->evictor].name);
	ms_views_count_cells(table, run, p->count, p->within);
	ms_table_share(
		table, 0,
		ms_summary_share(p->count, ms_evictions_of(e, p->level, p->victim)->evicted));
	ms_table_text(table, code->name);
	ms_table_text(table, code->module);
	ms_table_text(table, line->file);
	if (line->line != 0)
		ms_table_count(table, line->line);
	else
		ms_table_none(table);
}

void ms_views_csv_evictions(const struct ms_evictions *e, const struct ms_views_options *options,
			    FILE *out)
{
	static const char *const names[] = { "level", "evicted", "evicted_by" };
	static const char *const rest[] = { "share", "code", "module", "file", "line" };
	uint32_t level = MS_NONE;
	struct ms_table table;
	size_t n = 0;

	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(names); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = names[i] });
	ms_views_count_column(&table, e->whole.run, "evictions");
	for (size_t i = 0; i < MS_COUNT(rest); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = rest[i] });
	for (size_t i = 0; i < e->places.at.n; i++) {
		n = e->places.at.at[i].level == level ? n + 1 : 1;
		level = e->places.at.at[i].level;
		if (options->top == 0 || n <= options->top)
			csv_row(&table, e, &e->places.at.at[i]);
	}
	ms_table_close(&table);
}
