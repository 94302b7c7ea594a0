/* views/csv/advise.c - findings as CSV: one row each. */
#include "views/advise.h"

#include "base/compiler.h"
#include "base/table.h"

void ms_views_csv_advise(const struct ms_advise *advise, const struct ms_views_options *options,
			 FILE *out)
{
	static const char *const keys[] = { "kind", "data",     "code",      "file",   "line",
					    "gain", "gain_low", "gain_high", "remedy", "wrong_if" };
	const struct ms_run *run = advise->summary->run;
	struct ms_table table;

	(void)options;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	for (size_t i = 0; i < advise->at.n; i++) {
		const struct ms_advise_finding *f = &advise->at.at[i];
		uint32_t number;
		const char *file = ms_views_finding_file(run, f, &number);

		ms_table_text(&table, ms_advise_kind_word(f->kind));
		ms_table_text(&table, f->data != MS_NONE ? run->data.at[f->data].name : NULL);
		ms_table_text(&table, f->code != MS_NONE ? run->codes.at[f->code].name : NULL);
		ms_table_text(&table, file);
		if (number > 0)
			ms_table_count(&table, number);
		else
			ms_table_none(&table);
		ms_table_real(&table, f->gain, 4);
		ms_table_real(&table, f->gain_low, 4);
		ms_table_real(&table, f->gain_high, 4);
		ms_table_text(&table, f->remedy);
		ms_table_text(&table, f->falsifier);
	}
	ms_table_close(&table);
}
