/* views/html/details.c - what the details of an entry show beside its figures, as tables of the
 * page: evictors, source lines, allocation call paths, members. */
#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/source_lines/bin_lines.h"
#include "analysis/summary/data_evictors.h"
#include "views/html/tables_priv.h"

/* --- which data evicted which --- */

/* What was evicted: a row of its table, and how far its figures may be off (NULL: not known). */
struct pushed {
	uint64_t row;
	const struct ms_summary_counts *counts;
	const struct ms_intervals_entry *intervals;
	uint64_t not_seen; /* of the level that is written */
};

/* Its data MS_NONE: all others of this level. */
static void replacer(struct ms_html_tables *t, const struct pushed *of,
		     const struct ms_summary_evictor *r)
{
	ms_html_packed_row(&t->packed);
	ms_html_packed_u64(&t->packed, of->row);
	ms_html_packed_u64(&t->packed, r->level);
	if (r->data == MS_NONE)
		ms_html_packed_null(&t->packed);
	else
		ms_html_packed_u64(&t->packed, t->rows.data[r->data]);
	ms_html_packed_u64(&t->packed, r->count);
	if (t->run->samplings.n > 0)
		ms_html_put_bounds(t, ms_intervals_effect_evictor(t->run, of->intervals, of->counts,
								  r, of->not_seen));
}

static void replacer_columns(struct ms_html_tables *t, const char *table, const char *of)
{
	ms_html_packed_table(&t->packed, table);
	ms_html_packed_column(&t->packed, "%s", of);
	ms_html_packed_column(&t->packed, "level");
	ms_html_packed_column(&t->packed, "by");
	ms_html_packed_column(&t->packed, "count");
	if (t->run->samplings.n > 0) {
		ms_html_packed_column(&t->packed, "low");
		ms_html_packed_column(&t->packed, "high");
	}
}

/* Level after level, the first few and what the others come to. */
static void replacers(struct ms_html_tables *t, struct pushed *of,
		      const struct ms_summary_evictor *r, size_t n, size_t few)
{
	for (size_t i = 0; i < n;) {
		struct ms_summary_evictor others = { r[i].level, MS_NONE, 0 };
		size_t first = i;

		of->not_seen = ms_intervals_unknown_evictions(t->run, r, n, others.level);
		for (; i < n && r[i].level == others.level; i++) {
			if (i - first < few)
				replacer(t, of, &r[i]);
			else
				others.count += r[i].count;
		}
		if (others.count > 0)
			replacer(t, of, &others);
	}
}

static void put_replacers(struct ms_html_tables *t)
{
	size_t most = MS_HTML_DETAILED >> t->wanted->shrink;

	replacer_columns(t, "bin_replaced_by", "bin");
	for (size_t i = 0; i < t->bins.n && i < most; i++) {
		const struct ms_summary_entry *bin = &t->s->bins.at.at[t->bins.at[i]];
		struct pushed of = { i, &bin->counts, ms_intervals_of(&t->of_bins, bin), 0 };

		replacers(t, &of, bin->replaced_by.at, bin->replaced_by.n, MS_HTML_REPLACERS);
	}
	ms_html_packed_end(&t->packed);
}

void ms_html_put_data_replacers(struct ms_html_tables *t)
{
	struct ms_summary_data_evictors all;
	MS_VEC(struct ms_summary_evictor) one = MS_VEC_INIT;

	ms_summary_data_evictors_make(&all, t->s);
	replacer_columns(t, "data_replaced_by", "data");
	for (size_t i = 0; i < all.at.n;) {
		uint32_t data = all.at.at[i].data;
		const struct ms_summary_entry *e = &t->s->data.at.at[t->rows.data[data]];
		struct pushed of = { t->rows.data[data], &e->counts,
				     ms_intervals_of(&t->of_data, e), 0 };

		one.n = 0;
		for (; i < all.at.n && all.at.at[i].data == data; i++)
			*ms_vec_add(&one) = all.at.at[i].by;
		if (ms_html_wants_data(t->wanted, of.row))
			replacers(t, &of, one.at, one.n, MS_HTML_DATA_REPLACERS);
	}
	ms_html_packed_end(&t->packed);
	ms_vec_free(&one);
	ms_summary_data_evictors_free(&all);
}

/* --- lines of bins, and where data was allocated --- */

static void put_lines(struct ms_html_tables *t)
{
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_table(p, "bin_lines");
	ms_html_packed_column(p, "bin");
	ms_html_packed_texts(p, "file");
	ms_html_packed_column(p, "line");
	ms_html_put_figure_columns(t);
	for (size_t i = 0; i < t->places.at.n; i++) {
		const struct ms_lines_of_bin *place = &t->places.at.at[i];
		const struct ms_run_line *line = &t->run->lines.at[place->line];

		ms_html_packed_row(p);
		ms_html_packed_u64(p, place->bin);
		ms_html_packed_text(p, line->file);
		ms_html_packed_u64(p, line->line);
		ms_html_put_figures(t, &place->counts);
	}
	ms_html_packed_end(p);
}

void ms_html_put_frames(struct ms_html_tables *t)
{
	struct ms_html_packed *p = &t->packed;
	size_t most =
		t->wanted->shrink > 0 ? (size_t)MS_HTML_ALLOCATED >> t->wanted->shrink : SIZE_MAX;

	ms_html_packed_table(p, "allocated_by");
	ms_html_packed_column(p, "data");
	ms_html_packed_texts(p, "function");
	ms_html_packed_texts(p, "file");
	ms_html_packed_column(p, "line");
	ms_html_packed_texts(p, "module");
	ms_html_packed_column(p, "offset");
	for (size_t i = 0; i < t->run->frames.n; i++) {
		const struct ms_run_frame *f = &t->run->frames.at[i];

		if (!ms_html_wants_data(t->wanted, t->rows.data[f->data]) ||
		    t->rows.data[f->data] >= most)
			continue;
		ms_html_packed_row(p);
		ms_html_packed_u64(p, t->rows.data[f->data]);
		ms_html_packed_text(p, f->function);
		ms_html_packed_text(p, f->file);
		ms_html_packed_u64(p, f->line);
		ms_html_packed_text(p, f->module);
		ms_html_packed_u64(p, f->offset);
	}
	ms_html_packed_end(p);
}

void ms_html_put_details(struct ms_html_tables *t)
{
	put_replacers(t);
	put_lines(t);
	ms_html_put_intrinsic(t);
	ms_html_put_line_use(t);
	ms_html_put_members(t);
	ms_html_put_ranges(t);
}
