/* views/html/tables.c - the lists of a report as tables; docs/formats/page-json.md. */
#include <math.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/intervals.h"
#include "analysis/confidence_intervals/miss_division.h"
#include "analysis/describe/describe.h"
#include "analysis/measured/measured.h"
#include "analysis/source_lines/bin_lines.h"
#include "analysis/summary/data_evictors.h"
#include "base/num.h"
#include "run/enum_words.h"
#include "views/html/html_priv.h"
#include "views/html/packed.h"

struct page_tables {
	struct ms_html_packed packed;
	const struct ms_summary *s;
	const struct ms_run *run;
	struct ms_html_rows rows;
	struct ms_lines_of_bins places;
	struct ms_intervals of_data; /* two tables each have these: */
	struct ms_intervals of_bins;
};

/* --- the figures that every entry has --- */

static void level_columns(struct page_tables *t, size_t i)
{
	static const char *const always[] = { "misses.read", "misses.write", "causes.first",
					      "causes.replacement", "causes.invalidation" };
	static const char *const several[] = { "true_sharing", "false_sharing", "peer", "remote",
					       "write_backs" };
	static const char *const division[] = { "conflict", "capacity", "saved_by_mapping" };
	static const char *const bounds[] = { "conflict.low", "conflict.high", "capacity.low",
					      "capacity.high" };
	struct ms_html_packed *p = &t->packed;

	for (size_t k = 0; k < MS_COUNT(always); k++)
		ms_html_packed_column(p, "levels.%zu.%s", i, always[k]);
	for (size_t k = 0; k < MS_COUNT(several) && t->run->processors > 1; k++)
		ms_html_packed_column(p, "levels.%zu.%s", i, several[k]);
	if (t->run->levels.at[i].prefetch > 0)
		ms_html_packed_column(p, "levels.%zu.covered", i);
	for (size_t k = 0; k < MS_COUNT(division) && t->run->division != MS_RUN_UNDIVIDED; k++)
		ms_html_packed_column(p, "levels.%zu.replacement.%s", i, division[k]);
	for (size_t k = 0; k < MS_COUNT(bounds) && t->run->division == MS_RUN_ESTIMATED; k++)
		ms_html_packed_column(p, "levels.%zu.replacement.intervals.%s", i, bounds[k]);
}

/* Of an out-of-order core: why it costs what it costs. */
static void timing_columns(struct page_tables *t)
{
	static const char *const cycles[] = { "exposed", "prefetched", "overlapped" };
	static const char *const names[] = { "page_walks", "page_walk_cycles", "bandwidth_cycles",
					     "unexplained_cycles" };
	size_t n = ms_run_has_measured_time(t->run) ? MS_COUNT(names) : MS_COUNT(names) - 1;
	struct ms_html_packed *p = &t->packed;

	for (size_t i = 0; i < t->run->levels.n; i++)
		for (size_t k = 0; k < MS_COUNT(cycles); k++)
			ms_html_packed_column(p, "timing.answers.%zu.%s_cycles", i, cycles[k]);
	for (size_t i = 0; i < n; i++)
		ms_html_packed_column(p, "timing.%s", names[i]);
	for (uint32_t i = 0; i < MS_RUN_DEPENDENCES; i++)
		ms_html_packed_column(p, "timing.dependences.%s", ms_run_dependence_word(i));
}

static void timing_figures(struct page_tables *t, const struct ms_summary_counts *c)
{
	struct ms_html_packed *p = &t->packed;

	for (size_t i = 0; i < t->run->levels.n; i++) {
		ms_html_packed_u64(p, c->levels[i].cycles.exposed);
		ms_html_packed_u64(p, c->levels[i].cycles.prefetched);
		ms_html_packed_u64(p, c->levels[i].cycles.overlapped);
	}
	ms_html_packed_u64(p, c->timing.walks);
	ms_html_packed_u64(p, c->timing.walk_cycles);
	ms_html_packed_u64(p, c->timing.bandwidth_cycles);
	if (ms_run_has_measured_time(t->run))
		ms_html_packed_u64(p, c->timing.unexplained_cycles);
	for (int i = 0; i < MS_RUN_DEPENDENCES; i++)
		ms_html_packed_u64(p, c->timing.dependences[i]);
}

static void figure_columns(struct page_tables *t)
{
	static const char *const names[] = { "references.read", "references.write", "stall.read",
					     "stall.write" };
	static const char *const sampled[] = { "samples", "share", "share_low", "share_high" };

	for (size_t i = 0; i < MS_COUNT(names); i++)
		ms_html_packed_column(&t->packed, "%s", names[i]);
	if (t->run->processors > 1)
		ms_html_packed_column(&t->packed, "upgrades");
	for (size_t i = 0; i < t->run->levels.n; i++)
		level_columns(t, i);
	static const char *const joined[] = { "stall_ns", "estimated_share", "differs" };
	bool measured = ms_run_has_measured_time(t->run);

	for (size_t i = 0; i < MS_COUNT(sampled) && (ms_run_is_measured(t->run) || measured); i++)
		ms_html_packed_column(&t->packed, "%s", sampled[i]);
	for (size_t i = 0; i < MS_COUNT(joined) && measured; i++)
		ms_html_packed_column(&t->packed, "%s", joined[i]);
	if (ms_run_is_timed(t->run) || measured)
		timing_columns(t);
}

static void division_figures(struct page_tables *t, const struct ms_summary_level_counts *l)
{
	struct ms_intervals_division division = ms_intervals_divide(l);
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_u64(p, division.conflict);
	ms_html_packed_u64(p, division.capacity);
	ms_html_packed_u64(p, division.saved);
	if (t->run->division != MS_RUN_ESTIMATED)
		return;
	ms_html_packed_u64(p, ms_round_u64(division.conflict_bounds.low));
	ms_html_packed_u64(p, ms_round_u64(division.conflict_bounds.high));
	ms_html_packed_u64(p, ms_round_u64(division.capacity_bounds.low));
	ms_html_packed_u64(p, ms_round_u64(division.capacity_bounds.high));
}

static void level_figures(struct page_tables *t, const struct ms_summary_level_counts *l, size_t i)
{
	struct ms_html_packed *p = &t->packed;
	uint64_t taken = l->causes[MS_CAUSE_INVALIDATED];

	for (int rw = 0; rw < MS_RW; rw++)
		ms_html_packed_u64(p, l->misses[rw]);
	for (int k = 0; k < MS_CAUSES; k++)
		ms_html_packed_u64(p, l->causes[k]);
	if (t->run->processors > 1) {
		ms_html_packed_u64(p, taken > l->falsely ? taken - l->falsely : 0);
		ms_html_packed_u64(p, l->falsely);
		ms_html_packed_u64(p, l->peer);
		ms_html_packed_u64(p, l->remote);
		ms_html_packed_u64(p, l->write_backs);
	}
	if (t->run->levels.at[i].prefetch > 0)
		ms_html_packed_u64(p, l->covered);
	if (t->run->division != MS_RUN_UNDIVIDED)
		division_figures(t, l);
}

/* Of the real machine: how many samples, and their share with its interval. */
static void sample_figures(struct page_tables *t, const struct ms_summary_counts *c)
{
	struct ms_measured_share i = ms_measured_stall_share(t->s, c);

	ms_html_packed_u64(&t->packed, c->samples.n);
	ms_html_packed_real(&t->packed, i.share);
	ms_html_packed_real(&t->packed, i.low);
	ms_html_packed_real(&t->packed, i.high);
}

/* Beside it, what the simulation estimates: differs is 0, 1 (more was measured) or 2 (less). */
static void joined_figures(struct page_tables *t, const struct ms_summary_counts *c)
{
	struct ms_measured_comparison compared = ms_measured_compare(t->s, c);

	ms_html_packed_u64(&t->packed, c->samples.latency);
	ms_html_packed_real(&t->packed, compared.estimated);
	ms_html_packed_u64(&t->packed, compared.verdict);
}

static void figures(struct page_tables *t, const struct ms_summary_counts *c)
{
	struct ms_html_packed *p = &t->packed;

	for (int rw = 0; rw < MS_RW; rw++)
		ms_html_packed_u64(p, c->references[rw]);
	for (int rw = 0; rw < MS_RW; rw++)
		ms_html_packed_u64(p, c->stall[rw]);
	if (t->run->processors > 1)
		ms_html_packed_u64(p, c->upgrades);
	for (size_t i = 0; i < t->run->levels.n; i++)
		level_figures(t, &c->levels[i], i);
	bool measured = ms_run_has_measured_time(t->run);

	if (ms_run_is_measured(t->run) || measured)
		sample_figures(t, c);
	if (measured)
		joined_figures(t, c);
	if (ms_run_is_timed(t->run) || measured)
		timing_figures(t, c);
}

/* Compute time: of what executes instructions. */
static void time_columns(struct page_tables *t)
{
	ms_html_packed_column(&t->packed, "compute_cycles");
	if (t->run->processors > 1)
		ms_html_packed_column(&t->packed, "normalised_cycles");
}

static void times(struct page_tables *t, const struct ms_summary_counts *c)
{
	ms_html_packed_u64(&t->packed, c->compute);
	if (t->run->processors > 1)
		ms_html_packed_u64(&t->packed, ms_round_u64(c->normalised));
}

/* --- code, data, bins --- */

static void put_code(struct page_tables *t)
{
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_table(p, "code");
	ms_html_packed_texts(p, "name");
	ms_html_packed_texts(p, "module");
	ms_html_packed_texts(p, "file");
	ms_html_packed_column(p, "line");
	time_columns(t);
	figure_columns(t);
	for (size_t i = 0; i < t->s->code.at.n; i++) {
		const struct ms_summary_entry *e = &t->s->code.at.at[i];
		const struct ms_run_code *code = &t->run->codes.at[e->code];

		t->rows.code[e->code] = (uint32_t)i;
		ms_html_packed_row(p);
		ms_html_packed_text(p, code->name);
		ms_html_packed_text(p, code->module);
		ms_html_packed_text(p, code->file);
		ms_html_packed_u64(p, code->line);
		times(t, &e->counts);
		figures(t, &e->counts);
	}
	ms_html_packed_end(p);
}

static void one_data(struct page_tables *t, const struct ms_summary_entry *e)
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
	figures(t, &e->counts);
}

static void put_data(struct page_tables *t)
{
	static const char *const texts[] = { "name", "full_name", "kind", "type", "reason" };
	static const char *const sizes[] = { "objects", "bytes", "peak_bytes", "largest" };

	ms_html_packed_table(&t->packed, "data");
	for (size_t i = 0; i < MS_COUNT(texts); i++)
		ms_html_packed_texts(&t->packed, texts[i]);
	for (size_t i = 0; i < MS_COUNT(sizes); i++)
		ms_html_packed_column(&t->packed, "%s", sizes[i]);
	figure_columns(t);
	for (size_t i = 0; i < t->s->data.at.n; i++) {
		t->rows.data[t->s->data.at.at[i].data] = (uint32_t)i;
		one_data(t, &t->s->data.at.at[i]);
	}
	ms_html_packed_end(&t->packed);
}

static void put_bins(struct page_tables *t)
{
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_table(p, "bins");
	ms_html_packed_column(p, "code");
	ms_html_packed_column(p, "data");
	figure_columns(t);
	for (size_t i = 0; i < t->s->bins.at.n; i++) {
		const struct ms_summary_entry *e = &t->s->bins.at.at[i];

		ms_html_packed_row(p);
		ms_html_packed_u64(p, t->rows.code[e->code]);
		ms_html_packed_u64(p, t->rows.data[e->data]);
		figures(t, &e->counts);
	}
	ms_html_packed_end(p);
}

/* --- which data evicted which --- */

static void bounds(struct page_tables *t, struct ms_intervals_bounds b)
{
	ms_html_packed_rounded(&t->packed, b.low);
	ms_html_packed_rounded(&t->packed, b.high);
}

/* What was evicted: a row of its table, and how far its figures may be off (NULL: not known). */
struct pushed {
	uint64_t row;
	const struct ms_summary_counts *counts;
	const struct ms_intervals_entry *intervals;
	uint64_t not_seen; /* of the level that is written */
};

/* Its data MS_NONE: all others of this level. */
static void replacer(struct page_tables *t, const struct pushed *of,
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
		bounds(t, ms_intervals_effect_evictor(t->run, of->intervals, of->counts, r,
						      of->not_seen));
}

static void replacer_columns(struct page_tables *t, const char *table, const char *of)
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
static void replacers(struct page_tables *t, struct pushed *of, const struct ms_summary_evictor *r,
		      size_t n, size_t few)
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

static void put_replacers(struct page_tables *t)
{
	replacer_columns(t, "bin_replaced_by", "bin");
	for (size_t i = 0; i < t->s->bins.at.n && i < MS_HTML_DETAILED; i++) {
		const struct ms_summary_entry *bin = &t->s->bins.at.at[i];
		struct pushed of = { i, &bin->counts, ms_intervals_of(&t->of_bins, bin), 0 };

		replacers(t, &of, bin->replaced_by.at, bin->replaced_by.n, MS_HTML_REPLACERS);
	}
	ms_html_packed_end(&t->packed);
}

static void put_data_replacers(struct page_tables *t)
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
		replacers(t, &of, one.at, one.n, MS_HTML_DATA_REPLACERS);
	}
	ms_html_packed_end(&t->packed);
	ms_vec_free(&one);
	ms_summary_data_evictors_free(&all);
}

/* --- lines of bins, and where data was allocated --- */

static void put_lines(struct page_tables *t)
{
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_table(p, "bin_lines");
	ms_html_packed_column(p, "bin");
	ms_html_packed_texts(p, "file");
	ms_html_packed_column(p, "line");
	figure_columns(t);
	for (size_t i = 0; i < t->places.at.n; i++) {
		const struct ms_lines_of_bin *place = &t->places.at.at[i];
		const struct ms_run_line *line = &t->run->lines.at[place->line];

		ms_html_packed_row(p);
		ms_html_packed_u64(p, place->bin);
		ms_html_packed_text(p, line->file);
		ms_html_packed_u64(p, line->line);
		figures(t, &place->counts);
	}
	ms_html_packed_end(p);
}

static void put_frames(struct page_tables *t)
{
	struct ms_html_packed *p = &t->packed;

	ms_html_packed_table(p, "allocated_by");
	ms_html_packed_column(p, "data");
	ms_html_packed_texts(p, "function");
	ms_html_packed_texts(p, "file");
	ms_html_packed_column(p, "line");
	ms_html_packed_texts(p, "module");
	ms_html_packed_column(p, "offset");
	for (size_t i = 0; i < t->run->frames.n; i++) {
		const struct ms_run_frame *f = &t->run->frames.at[i];

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

/* --- how far the figures of a sampled run may be off --- */

/* The last cause is invalidation, which a single processor does not have. */
static int causes_of(const struct ms_run *run)
{
	return run->processors > 1 ? MS_CAUSES : MS_CAUSE_INVALIDATED;
}

static void one_interval(struct page_tables *t, const char *of, size_t row,
			 const struct ms_intervals_entry *e)
{
	if (e == NULL)
		return;
	ms_html_packed_row(&t->packed);
	ms_html_packed_text(&t->packed, of);
	ms_html_packed_u64(&t->packed, row);
	bounds(t, e->references);
	bounds(t, e->stall);
	bounds(t, e->cycles);
	bounds(t, e->average);
	bounds(t, e->compute);
	for (int rw = 0; rw < MS_RW; rw++)
		bounds(t, e->rw[rw].misses != NULL ? e->rw[rw].references
						   : (struct ms_intervals_bounds){ NAN, NAN });
	for (size_t i = 0; i < t->run->levels.n; i++) {
		bounds(t, e->levels[i].misses);
		bounds(t, e->levels[i].rate);
		bounds(t, e->levels[i].share);
		for (int k = 0; k < causes_of(t->run); k++)
			bounds(t, e->levels[i].causes[k]);
	}
}

static void entry_intervals(struct page_tables *t, const char *of,
			    const struct ms_summary_entries *entries,
			    const struct ms_intervals *intervals, size_t most)
{
	for (size_t i = 0; i < entries->at.n && i < most; i++)
		one_interval(t, of, i, ms_intervals_of(intervals, &entries->at.at[i]));
}

/* Intervals of what the page shows of the first bins: most of a large run's are never asked for. */
static void make_first(struct page_tables *t, struct ms_intervals *intervals, size_t most,
		       bool by_line)
{
	size_t cells = t->run->samplings.n > 0 ? t->run->cells.n : 0;
	uint64_t *keys = ms_alloc((cells + 1) * sizeof(*keys));
	struct ms_map bins = MS_MAP_INIT;

	for (size_t i = 0; i < t->s->bins.at.n && i < most && cells > 0; i++)
		*ms_map_at(&bins, t->s->bins.at.at[i].code, t->s->bins.at.at[i].data) = (uint32_t)i;
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
static void line_intervals(struct page_tables *t)
{
	size_t n = t->places.at.n < MS_HTML_BIN_INTERVALS ? t->places.at.n : MS_HTML_BIN_INTERVALS;
	struct ms_intervals intervals;

	make_first(t, &intervals, n > 0 ? t->places.at.at[n - 1].bin + (size_t)1 : 0, true);
	for (size_t i = 0; i < n; i++) {
		const struct ms_lines_of_bin *place = &t->places.at.at[i];

		one_interval(t, "bin_lines", i,
			     ms_intervals_at(&intervals, (uint64_t)place->bin << 32 | place->line));
	}
	ms_intervals_free(&intervals);
}

static void interval_columns(struct page_tables *t)
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

static void put_intervals(struct page_tables *t)
{
	struct ms_intervals of_code;

	ms_html_packed_table(&t->packed, "intervals");
	interval_columns(t);
	ms_intervals_by_kind(&of_code, t->s, MS_ENTRY_CODE, NULL);
	ms_intervals_split_rw(&of_code, t->s, MS_ENTRY_CODE, NULL);
	entry_intervals(t, "code", &t->s->code, &of_code, MS_HTML_INTERVALS);
	ms_intervals_free(&of_code);
	entry_intervals(t, "data", &t->s->data, &t->of_data, MS_HTML_INTERVALS);
	entry_intervals(t, "bins", &t->s->bins, &t->of_bins, MS_HTML_BIN_INTERVALS);
	line_intervals(t);
	ms_html_packed_end(&t->packed);
}

void ms_html_tables(const struct ms_summary *s, FILE *out)
{
	struct page_tables t = { .s = s,
				 .run = s->run,
				 .rows = { ms_alloc((s->run->codes.n + 1) * sizeof(uint32_t)),
					   ms_alloc((s->run->data.n + 1) * sizeof(uint32_t)) } };

	ms_lines_of_bins_make(&t.places, s, MS_HTML_BIN_LINES, MS_HTML_ALL_LINES);
	ms_intervals_by_kind(&t.of_data, s, MS_ENTRY_DATA, NULL);
	ms_intervals_split_rw(&t.of_data, s, MS_ENTRY_DATA, NULL);
	make_first(&t, &t.of_bins, MS_HTML_DETAILED, false);
	ms_html_packed_open(&t.packed, out);
	put_code(&t);
	put_data(&t);
	put_bins(&t);
	put_replacers(&t);
	put_data_replacers(&t);
	put_lines(&t);
	put_frames(&t);
	put_intervals(&t);
	ms_html_put_intrinsic(&t.packed, s);
	ms_html_put_line_use(&t.packed, s, &t.rows);
	ms_html_put_paths(&t.packed, s, &t.rows);
	ms_html_put_members(&t.packed, s);
	ms_html_put_ranges(&t.packed, s->run, &t.rows);
	ms_html_put_slices(&t.packed, s->run, &t.rows);
	ms_html_put_ranks(&t.packed, s->run, &t.rows);
	ms_html_packed_close(&t.packed);
	ms_intervals_free(&t.of_data);
	ms_intervals_free(&t.of_bins);
	ms_lines_of_bins_free(&t.places);
	ms_free(t.rows.code);
	ms_free(t.rows.data);
}
