/* views/html/tables.c - the lists of a report as tables; docs/formats/page-json.md. */
#include "analysis/describe/describe.h"
#include "base/num.h"
#include "run/enum_words.h"
#include "views/html/packed.h"
#include "views/html/tables_priv.h"

/* Compute time: of what executes instructions. */
static void time_columns(struct ms_html_tables *t)
{
	ms_html_packed_column(&t->packed, "compute_cycles");
	if (t->run->processors > 1)
		ms_html_packed_column(&t->packed, "normalised_cycles");
}

static void times(struct ms_html_tables *t, const struct ms_summary_counts *c)
{
	ms_html_packed_u64(&t->packed, c->compute);
	if (t->run->processors > 1)
		ms_html_packed_u64(&t->packed, ms_round_u64(c->normalised));
}

static void put_code(struct ms_html_tables *t)
{
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_table(p, "code");
	ms_html_packed_texts(p, "name");
	ms_html_packed_texts(p, "module");
	ms_html_packed_texts(p, "file");
	ms_html_packed_column(p, "line");
	time_columns(t);
	ms_html_put_figure_columns(t);
	for (size_t i = 0; i < t->s->code.at.n && i < t->wanted->code_rows; i++) {
		const struct ms_summary_entry *e = &t->s->code.at.at[i];
		const struct ms_run_code *code = &t->run->codes.at[e->code];

		ms_html_packed_row(p);
		ms_html_packed_text(p, code->name);
		ms_html_packed_text(p, code->module);
		ms_html_packed_text(p, code->file);
		ms_html_packed_u64(p, code->line);
		times(t, &e->counts);
		ms_html_put_figures(t, &e->counts);
	}
	ms_html_packed_end(p);
}

static void one_data(struct ms_html_tables *t, const struct ms_summary_entry *e)
{
	const struct ms_run_data *data = &t->run->data.at[e->data];
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_row(p);
	ms_html_packed_text(p, data->name);
	ms_html_packed_text(p, data->full_name);
	ms_html_packed_text(p, ms_run_data_kind_word(data->kind));
	ms_html_packed_text(p, data->type);
	ms_html_packed_text(p, data->reason);
	ms_html_packed_u64(p, data->objects);
	ms_html_packed_u64(p, data->bytes);
	ms_html_packed_u64(p, data->peak_bytes);
	ms_html_packed_u64(p, data->largest);
	ms_html_put_figures(t, &e->counts);
}

static void put_data(struct ms_html_tables *t)
{
	static const char *const texts[] = { "name", "full_name", "kind", "type", "reason" };
	static const char *const sizes[] = { "objects", "bytes", "peak_bytes", "largest" };

	ms_html_packed_table(&t->packed, "data");
	for (size_t i = 0; i < MS_COUNT(texts); i++)
		ms_html_packed_texts(&t->packed, texts[i]);
	for (size_t i = 0; i < MS_COUNT(sizes); i++)
		ms_html_packed_column(&t->packed, "%s", sizes[i]);
	ms_html_put_figure_columns(t);
	for (size_t i = 0; i < t->s->data.at.n && i < t->wanted->data_rows; i++)
		one_data(t, &t->s->data.at.at[i]);
	ms_html_packed_end(&t->packed);
}

static void put_bins(struct ms_html_tables *t)
{
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_table(p, "bins");
	ms_html_packed_column(p, "code");
	ms_html_packed_column(p, "data");
	ms_html_put_figure_columns(t);
	for (size_t i = 0; i < t->bins.n; i++) {
		const struct ms_summary_entry *e = &t->s->bins.at.at[t->bins.at[i]];

		ms_html_packed_row(p);
		ms_html_packed_u64(p, t->rows.code[e->code]);
		ms_html_packed_u64(p, t->rows.data[e->data]);
		ms_html_put_figures(t, &e->counts);
	}
	ms_html_packed_end(p);
}

/* --- which tables, and which rows of them --- */

static bool wants(uint32_t wanted, uint32_t other, size_t row)
{
	return wanted == row || (wanted == MS_NONE && other == MS_NONE);
}

bool ms_html_wants_code(const struct ms_html_wanted *wanted, size_t row)
{
	return wants(wanted->code, wanted->data, row);
}

bool ms_html_wants_data(const struct ms_html_wanted *wanted, size_t row)
{
	return wants(wanted->data, wanted->code, row);
}

static void number_rows(struct ms_html_tables *t)
{
	t->rows.code = ms_alloc((t->run->codes.n + 1) * sizeof(uint32_t));
	t->rows.data = ms_alloc((t->run->data.n + 1) * sizeof(uint32_t));
	for (size_t i = 0; i < t->s->code.at.n; i++)
		t->rows.code[t->s->code.at.at[i].code] = (uint32_t)i;
	for (size_t i = 0; i < t->s->data.at.n; i++)
		t->rows.data[t->s->data.at.at[i].data] = (uint32_t)i;
}

/* The first bins, and those that the heat map of the overview may show. */
static void choose_bins(struct ms_html_tables *t)
{
	const struct ms_html_wanted *w = t->wanted;

	for (size_t i = 0; i < t->s->bins.at.n; i++) {
		const struct ms_summary_entry *bin = &t->s->bins.at.at[i];
		uint32_t code = t->rows.code[bin->code], data = t->rows.data[bin->data];
		bool mapped = code < MS_HTML_MAPPED && data < MS_HTML_MAPPED;

		if ((i < w->bins || (mapped && w->data_rows < SIZE_MAX)) &&
		    (w->code == MS_NONE || w->code == code) &&
		    (w->data == MS_NONE || w->data == data))
			*ms_vec_add(&t->bins) = (uint32_t)i;
	}
}

static void put_tables(struct ms_html_tables *t)
{
	unsigned groups = t->wanted->groups;

	if (groups & MS_HTML_LISTS) {
		put_code(t);
		put_data(t);
	}
	if (groups & MS_HTML_BINS)
		put_bins(t);
	if (groups & (MS_HTML_DETAILS | MS_HTML_REPLACED))
		ms_html_put_data_replacers(t);
	if (groups & (MS_HTML_DETAILS | MS_HTML_FRAMES))
		ms_html_put_frames(t);
	if (groups & MS_HTML_DETAILS)
		ms_html_put_details(t);
	if (groups & (MS_HTML_LISTS | MS_HTML_DETAILS))
		ms_html_put_intervals(t);
	if (groups & MS_HTML_TREE)
		ms_html_put_paths(&t->packed, t->s, &t->rows);
	if (groups & MS_HTML_TIME)
		ms_html_put_slices(&t->packed, t->run, &t->rows);
	if (groups & MS_HTML_RANKS)
		ms_html_put_ranks(&t->packed, t->run, &t->rows);
}

void ms_html_put_tables(const struct ms_summary *s, const struct ms_html_wanted *wanted, FILE *out)
{
	struct ms_html_tables t = { .s = s, .run = s->run, .wanted = wanted };
	bool details = wanted->groups & MS_HTML_DETAILS;

	number_rows(&t);
	choose_bins(&t);
	if (details)
		ms_lines_of_some_bins_make(&t.places, s, t.bins.at, t.bins.n, MS_HTML_BIN_LINES,
					   MS_HTML_ALL_LINES >> wanted->shrink);
	ms_intervals_by_kind(&t.of_data, s, MS_ENTRY_DATA, NULL);
	ms_intervals_split_rw(&t.of_data, s, MS_ENTRY_DATA, NULL);
	ms_html_make_intervals(&t, &t.of_bins, MS_HTML_DETAILED, false);
	ms_html_packed_open(&t.packed, out);
	put_tables(&t);
	ms_html_packed_close(&t.packed);
	ms_intervals_free(&t.of_data);
	ms_intervals_free(&t.of_bins);
	if (details)
		ms_lines_of_bins_free(&t.places);
	ms_vec_free(&t.bins);
	ms_free(t.rows.code);
	ms_free(t.rows.data);
}
