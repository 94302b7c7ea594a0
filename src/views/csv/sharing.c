/* views/csv/sharing.c - likewise as CSV: one row an access. */
#include "views/sharing.h"

#include <inttypes.h>

#include "base/table.h"
#include "run/enum_words.h"
#include "views/intervals.h"
#include "views/shared.h"

static void csv_address(struct ms_table *table, uint64_t address)
{
	if (address != MS_NO_OFFSET)
		ms_table_text(table, ms_arena_printf(&table->arena, "0x%" PRIx64, address));
	else
		ms_table_none(table);
}

static void csv_maybe(struct ms_table *table, uint64_t value, uint64_t none)
{
	if (value != none)
		ms_table_count(table, value);
	else
		ms_table_none(table);
}

static void csv_row(struct ms_table *table, const struct ms_run *run,
		    const struct ms_sharing_line *in, const struct ms_sharing_access *a)
{
	const struct ms_run_site *site = &run->sites.at[a->site];
	const struct ms_run_line *line = &run->lines.at[site->line];
	struct ms_text processors = MS_TEXT_INIT;
	const uint64_t figures[] = { a->missed.peer,   a->missed.far_peer,    a->missed.remote,
				     a->missed.stall,  a->missed.false_stall, a->caused_truly,
				     a->caused_falsely };

	ms_sharing_processors_text(&a->processors, run, &processors);
	csv_address(table, in->line);
	ms_table_count(table, a->offset);
	ms_table_text(table, run->data.at[a->data].name);
	csv_maybe(table, a->object, MS_NO_OFFSET);
	ms_table_text(table, a->field);
	ms_table_text(table, ms_run_site_kind_word(site->kind));
	ms_table_count(table, site->size);
	ms_table_text(table, ms_arena_strdup(&table->arena, ms_text_get(&processors)));
	ms_views_count_cells(table, run, a->missed.truly + a->missed.falsely, a->within.misses);
	ms_views_count_cells(table, run, a->missed.truly, a->within.truly);
	ms_views_count_cells(table, run, a->missed.falsely, a->within.falsely);
	for (size_t i = 0; i < MS_COUNT(figures); i++)
		ms_table_count(table, figures[i]);
	ms_table_text(table, run->codes.at[line->code].name);
	ms_table_text(table, run->codes.at[line->code].module);
	csv_address(table, site->offset);
	ms_table_text(table, line->file);
	csv_maybe(table, line->line, 0);
	ms_text_free(&processors);
}

void ms_views_csv_sharing(const struct ms_sharing *s, const struct ms_views_options *options,
			  FILE *out)
{
	static const char *const access[] = { "address", "offset", "data", "object_offset",
					      "field",   "access", "size", "processors" };
	static const char *const misses[] = { "misses", "true_sharing", "false_sharing" };
	static const char *const rest[] = { "peer",
					    "far_peer",
					    "remote",
					    "stall_cycles",
					    "false_stall_cycles",
					    "causes_true_sharing",
					    "causes_false_sharing",
					    "code",
					    "module",
					    "module_offset",
					    "file",
					    "line" };
	struct ms_table table;

	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; i < MS_COUNT(access); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = access[i] });
	for (size_t i = 0; i < MS_COUNT(misses); i++)
		ms_views_count_column(&table, s->whole.run, misses[i]);
	for (size_t i = 0; i < MS_COUNT(rest); i++)
		ms_table_column(&table, (struct ms_table_column){ .key = rest[i] });
	for (size_t i = 0; i < ms_views_top(s->lines.n, options->top); i++)
		for (size_t k = 0; k < s->lines.at[i].accesses.n; k++)
			csv_row(&table, s->whole.run, &s->lines.at[i],
				&s->lines.at[i].accesses.at[k]);
	ms_table_close(&table);
}
