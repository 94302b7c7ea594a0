/* views/html/table_intervals.c - how far the figures of a sampled run may be off, as a table of the
 * page. */
#include <math.h>

#include "analysis/confidence_intervals/intervals.h"
#include "views/html/tables_priv.h"

void ms_html_put_bounds(struct ms_html_tables *t, struct ms_intervals_bounds b)
{
	ms_html_packed_rounded(&t->packed, b.low);
	ms_html_packed_rounded(&t->packed, b.high);
}

/* The last cause is invalidation, which a single processor does not have. */
static int causes_of(const struct ms_run *run)
{
	return run->processors > 1 ? MS_CAUSES : MS_CAUSE_INVALIDATED;
}

static void one_interval(struct ms_html_tables *t, const char *of, size_t row,
			 const struct ms_intervals_entry *e)
{
	if (e == NULL)
		return;
	ms_html_packed_row(&t->packed);
	ms_html_packed_text(&t->packed, of);
	ms_html_packed_u64(&t->packed, row);
	ms_html_put_bounds(t, e->references);
	ms_html_put_bounds(t, e->stall);
	ms_html_put_bounds(t, e->cycles);
	ms_html_put_bounds(t, e->average);
	ms_html_put_bounds(t, e->compute);
	for (int rw = 0; rw < MS_RW; rw++)
		ms_html_put_bounds(t, e->rw[rw].misses != NULL
					      ? e->rw[rw].references
					      : (struct ms_intervals_bounds){ NAN, NAN });
	for (size_t i = 0; i < t->run->levels.n; i++) {
		ms_html_put_bounds(t, e->levels[i].misses);
		ms_html_put_bounds(t, e->levels[i].rate);
		ms_html_put_bounds(t, e->levels[i].share);
		for (int k = 0; k < causes_of(t->run); k++)
			ms_html_put_bounds(t, e->levels[i].causes[k]);
	}
}

/* Of code or data. */
static void entry_intervals(struct ms_html_tables *t, const char *of,
			    const struct ms_summary_entries *entries,
			    const struct ms_intervals *intervals, size_t rows,
			    bool (*wants)(const struct ms_html_wanted *wanted, size_t row))
{
	for (size_t i = 0; i < entries->at.n && i < MS_HTML_INTERVALS && i < rows; i++)
		if (wants(t->wanted, i))
			one_interval(t, of, i, ms_intervals_of(intervals, &entries->at.at[i]));
}

static void bin_intervals(struct ms_html_tables *t)
{
	for (size_t i = 0; i < t->bins.n && i < MS_HTML_BIN_INTERVALS; i++)
		one_interval(t, "bins", i,
			     ms_intervals_of(&t->of_bins, &t->s->bins.at.at[t->bins.at[i]]));
}

void ms_html_make_intervals(struct ms_html_tables *t, struct ms_intervals *intervals, size_t most,
			    bool by_line)
{
	size_t cells = t->run->samplings.n > 0 ? t->run->cells.n : 0;
	uint64_t *keys = ms_alloc((cells + 1) * sizeof(*keys));
	struct ms_map bins = MS_MAP_INIT;

	for (size_t i = 0; i < t->bins.n && i < most && cells > 0; i++) {
		const struct ms_summary_entry *bin = &t->s->bins.at.at[t->bins.at[i]];

		*ms_map_at(&bins, bin->code, bin->data) = (uint32_t)i;
	}
	for (size_t i = 0; i < cells; i++) {
		uint32_t line = t->run->sites.at[t->run->cells.at[i].site].line;
		uint32_t code = t->run->lines.at[line].code, data = t->run->cells.at[i].data;
		uint32_t bin = ms_map_get(&bins, code, data);

		if (bin == MS_MAP_NONE)
			keys[i] = MS_NO_KEY;
		else
			keys[i] =
				by_line ? (uint64_t)bin << 32 | line : (uint64_t)code << 32 | data;
	}
	ms_intervals_make(intervals, t->s, keys, MS_ENTRY_BIN);
	ms_intervals_split_rw_keys(intervals, t->s, keys, MS_ENTRY_BIN);
	ms_map_free(&bins);
	ms_free(keys);
}

/* Of the lines of bins, in the order of their table. */
static void line_intervals(struct ms_html_tables *t)
{
	size_t n = t->places.at.n < MS_HTML_BIN_INTERVALS ? t->places.at.n : MS_HTML_BIN_INTERVALS;
	struct ms_intervals intervals;

	ms_html_make_intervals(t, &intervals, n > 0 ? t->places.at.at[n - 1].bin + (size_t)1 : 0,
			       true);
	for (size_t i = 0; i < n; i++) {
		const struct ms_lines_of_bin *place = &t->places.at.at[i];

		one_interval(t, "bin_lines", i,
			     ms_intervals_at(&intervals, (uint64_t)place->bin << 32 | place->line));
	}
	ms_intervals_free(&intervals);
}

static void interval_columns(struct ms_html_tables *t)
{
	static const char *const always[] = { "reference_share",       "stall_share",
					      "stall_cycles",          "stall_per_reference",
					      "compute_cycles",        "reference_shares.read",
					      "reference_shares.write" };
	static const char *const levels[] = {
		"misses",       "miss_rate",          "miss_share",
		"causes.first", "causes.replacement", "causes.invalidation"
	};
	size_t n = MS_COUNT(levels) - MS_CAUSES + (size_t)causes_of(t->run);
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_texts(p, "of");
	ms_html_packed_column(p, "row");
	for (size_t i = 0; i < MS_COUNT(always); i++) {
		ms_html_packed_column(p, "%s.low", always[i]);
		ms_html_packed_column(p, "%s.high", always[i]);
	}
	for (size_t l = 0; l < t->run->levels.n; l++)
		for (size_t i = 0; i < n; i++) {
			ms_html_packed_column(p, "levels.%zu.%s.low", l, levels[i]);
			ms_html_packed_column(p, "levels.%zu.%s.high", l, levels[i]);
		}
}

void ms_html_put_intervals(struct ms_html_tables *t)
{
	struct ms_intervals of_code;

	ms_html_packed_table(&t->packed, "intervals");
	interval_columns(t);
	ms_intervals_by_kind(&of_code, t->s, MS_ENTRY_CODE, NULL);
	ms_intervals_split_rw(&of_code, t->s, MS_ENTRY_CODE, NULL);
	entry_intervals(t, "code", &t->s->code, &of_code, t->wanted->code_rows, ms_html_wants_code);
	ms_intervals_free(&of_code);
	entry_intervals(t, "data", &t->s->data, &t->of_data, t->wanted->data_rows,
			ms_html_wants_data);
	bin_intervals(t);
	line_intervals(t);
	ms_html_packed_end(&t->packed);
}
