/* views/csv/advise.c - findings as CSV: one row each. */
#include "views/advise.h"

#include "base/compiler.h"
#include "base/table.h"
#include "base/text.h"

/* All figures in one cell, a line each, and all commands in the next one, in the same order. */
static void put_evidence(struct ms_table *table, const struct ms_advise_finding *f)
{
	struct ms_text figures = MS_TEXT_INIT, commands = MS_TEXT_INIT;

	for (size_t i = 0; i < f->n_evidence; i++) {
		ms_text_addf(&figures, "%s%s", i > 0 ? "\n" : "", f->evidence[i].figure);
		ms_text_addf(&commands, "%s%s", i > 0 ? "\n" : "", f->evidence[i].command);
	}
	ms_table_text(table, ms_arena_strdup(&table->arena, ms_text_get(&figures)));
	ms_table_text(table, ms_arena_strdup(&table->arena, ms_text_get(&commands)));
	ms_text_free(&figures);
	ms_text_free(&commands);
}

static void put_row(struct ms_table *table, const struct ms_run *run,
		    const struct ms_advise_finding *f)
{
	uint32_t number;
	const char *file = ms_views_finding_file(run, f, &number);

	ms_table_text(table, ms_advise_kind_word(f->kind));
	ms_table_text(table, f->data != MS_NONE ? run->data.at[f->data].name : NULL);
	ms_table_text(table, f->code != MS_NONE ? run->codes.at[f->code].name : NULL);
	ms_table_text(table, file);
	if (number > 0)
		ms_table_count(table, number);
	else
		ms_table_none(table);
	ms_table_real(table, f->gain, 4);
	ms_table_real(table, f->gain_low, 4);
	ms_table_real(table, f->gain_high, 4);
	ms_table_text(table, f->remedy);
	ms_table_text(table, f->falsifier);
	put_evidence(table, f);
	ms_table_text(table, f->snippet);
}

void ms_views_csv_advise(const struct ms_advise *advise, const struct ms_views_options *options,
			 FILE *out)
{
	static const char *const keys[] = { "kind",   "data",     "code",     "file",
					    "line",   "gain",     "gain_low", "gain_high",
					    "remedy", "wrong_if", "evidence", "commands",
					    "snippet" };
	struct ms_table table;

	(void)options;
	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(keys); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	for (size_t i = 0; i < advise->at.n; i++)
		put_row(&table, advise->summary->run, &advise->at.at[i]);
	ms_table_close(&table);
}
