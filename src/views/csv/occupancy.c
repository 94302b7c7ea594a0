/* views/csv/occupancy.c - which data holds how much of a cache level, and when, as CSV. */
#include "views/evictions.h"

#include <string.h>

#include "analysis/evictions/occupancy.h"
#include "base/json.h"
#include "base/table.h"

static void csv_lines(struct ms_table *table, double lines)
{
	char text[MS_REAL_TEXT];

	ms_table_text(table, ms_arena_strdup(&table->arena, ms_json_real_text(lines, text)));
}

/* A row a data. */
static void csv_data(struct ms_table *table, const struct ms_evictions_occupants *o)
{
	for (size_t i = 0; i < o->at.n; i++) {
		const struct ms_evictions_occupant *at = &o->at.at[i];

		ms_table_text(table, o->run->levels.at[o->level].name);
		ms_table_text(table, at->data != MS_NONE ? o->run->data.at[at->data].name : NULL);
		csv_lines(table, at->mean);
		if (at->data != MS_NONE)
			ms_table_count(table, at->peak);
		else
			ms_table_none(table);
		ms_table_count(table, at->lines);
		ms_table_count(table, o->lines);
	}
}

/* A row a data and slice. */
static void csv_slices(struct ms_table *table, const struct ms_evictions_occupants *o)
{
	for (size_t i = 0; i < o->at.n; i++) {
		for (uint32_t k = 0; k < o->slices && o->at.at[i].timed; k++) {
			const struct ms_evictions_occupant *at = &o->at.at[i];
			uint64_t to = (k + 1) * o->run->slice_steps;

			ms_table_text(table, o->run->levels.at[o->level].name);
			ms_table_text(table,
				      at->data != MS_NONE ? o->run->data.at[at->data].name : NULL);
			ms_table_count(table, k);
			ms_table_count(table, to < o->run->steps ? to : o->run->steps);
			csv_lines(table, at->slices[k]);
		}
	}
}

void ms_views_csv_occupancy(const struct ms_evictions *e, const struct ms_views_options *options,
			    bool timeline, FILE *out)
{
	static const char *const data_keys[] = { "level",      "data",      "mean_lines",
						 "peak_lines", "end_lines", "level_lines",
						 NULL };
	static const char *const slice_keys[] = { "level",      "data",  "slice",
						  "until_step", "lines", NULL };
	const char *const *keys = timeline ? slice_keys : data_keys;
	struct ms_table table;

	ms_table_open(&table, out, MS_TABLE_CSV, 0, false);
	for (size_t i = 0; keys[i] != NULL; i++)
		ms_table_column(&table, (struct ms_table_column){ .key = keys[i] });
	for (uint32_t level = 0; level < e->whole.run->levels.n && e->whole.run->steps > 0;
	     level++) {
		struct ms_evictions_occupants o;

		if (!ms_evictions_has_level(e, level))
			continue;
		ms_evictions_occupants_make(&o, e, level, options->top ? options->top : SIZE_MAX,
					    0);
		(timeline ? csv_slices : csv_data)(&table, &o);
		ms_evictions_occupants_free(&o);
	}
	ms_table_close(&table);
}
