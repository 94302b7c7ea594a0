/* views/csv/compare.c - two runs from different sources side by side, as CSV. */
#include "views/compare.h"

#include "base/table.h"
#include "views/entries.h"
#include "views/shared.h"

void ms_views_csv_compare(const struct ms_accuracy_sources *c, const struct ms_views_options *o,
			  FILE *out)
{
	static const char *const keys[] = { "name",         "first_rank", "first_share",
					    "first_low",    "first_high", "second_rank",
					    "second_share", "second_low", "second_high" };
	struct ms_table table;

	(void)o;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	for (size_t i = 0; i < c->rows.n; i++) {
		ms_table_text(&table, c->rows.at[i].name);
		for (int run = 0; run < 2; run++) {
			const struct ms_accuracy_compared *x = &c->rows.at[i].in[run];

			ms_views_put_rank(&table, x->rank);
			ms_table_real(&table, x->share.share, 0);
			ms_table_real(&table, x->share.low, 0);
			ms_table_real(&table, x->share.high, 0);
		}
	}
	ms_table_close(&table);
}
