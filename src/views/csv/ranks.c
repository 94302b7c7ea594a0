/* views/csv/ranks.c - the ranks of a merged run as CSV. */
#include "views/ranks.h"

#include "base/table.h"
#include "run/enum_words.h"
#include "views/shared.h"

static void add_row(struct ms_table *table, const struct ms_run_rank *r)
{
	ms_table_count(table, r->rank);
	ms_table_text(table, ms_run_rank_state_word(r->state));
	ms_table_text(table, r->host);
	if (r->cluster != MS_NONE)
		ms_table_count(table, r->cluster);
	else
		ms_table_none(table);
	for (int i = 0; i < 6 && r->uid == NULL; i++)
		ms_table_none(table);
	if (r->uid == NULL)
		return;
	ms_table_count(table, ms_rank_times_of(r));
	ms_table_count(table, r->compute);
	ms_table_count(table, r->stall);
	ms_table_count(table, r->waiting);
	ms_table_count(table, r->instructions);
	ms_table_count(table, r->references);
}

int ms_views_csv_ranks(const struct ms_rank_times *t, const struct ms_views_options *options,
		       FILE *out, struct ms_err *err)
{
	static const char *const keys[] = { "rank",         "state",     "host",  "cluster",
					    "time",         "compute",   "stall", "waiting",
					    "instructions", "references" };
	struct ms_table table;

	(void)err;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	for (size_t i = 0; i < ms_views_top(t->run->rank_rows.n, options->top); i++)
		add_row(&table, &t->run->rank_rows.at[i]);
	ms_table_close(&table);
	return MS_OK;
}
