/* views/csv/verify.c - likewise as CSV: a row each. */
#include "views/verify.h"

#include "base/compiler.h"
#include "base/table.h"

enum { DECIMALS = 6 };

static void put_columns(struct ms_table *table)
{
	static const char *const keys[] = { "before",        "after", "rounds",    "before_seconds",
					    "after_seconds", "gain",  "gain_low",  "gain_high",
					    "kind",          "data",  "predicted", "predicted_low",
					    "predicted_high" };

	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(table, (struct ms_table_column){ .key = keys[i] });
}

static void put_row(struct ms_table *table, const struct ms_run_verification *s)
{
	const double measured[] = { s->before_seconds, s->after_seconds, s->measured,
				    s->measured_low, s->measured_high };
	const double predicted[] = { s->predicted, s->predicted_low, s->predicted_high };

	ms_table_text(table, s->before);
	ms_table_text(table, s->after);
	ms_table_count(table, s->rounds);
	for (size_t i = 0; i < MS_COUNT(measured); i++)
		ms_table_real(table, measured[i], DECIMALS);
	ms_table_text(table, s->kind);
	ms_table_text(table, s->data);
	for (size_t i = 0; i < MS_COUNT(predicted); i++)
		if (s->kind != NULL)
			ms_table_real(table, predicted[i], DECIMALS);
		else
			ms_table_none(table);
}

void ms_views_csv_verify(const struct ms_views_verify *v, const struct ms_views_options *options,
			 FILE *out)
{
	struct ms_table table;

	(void)options;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	put_columns(&table);
	put_row(&table, v->stored);
	ms_table_close(&table);
}

void ms_views_csv_verified(const struct ms_run_verified_list *list,
			   const struct ms_views_options *options, FILE *out)
{
	struct ms_table table;

	(void)options;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	ms_table_column(&table, (struct ms_table_column){ .key = "run" });
	ms_table_column(&table, (struct ms_table_column){ .key = "verified" });
	put_columns(&table);
	for (size_t i = 0; i < list->at.n; i++) {
		ms_table_count(&table, (uint64_t)list->at.at[i].run);
		ms_table_text(&table, list->at.at[i].verification.verified);
		put_row(&table, &list->at.at[i].verification);
	}
	ms_table_close(&table);
}
