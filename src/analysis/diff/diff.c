#include "analysis/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/diff/diff_priv.h"
#include "analysis/measured/measured.h"
#include "analysis/summary/summary.h"
#include "base/near.h"
#include "base/num.h"

static const char *const keys[MS_DIFF_FIXED] = { [MS_DIFF_CYCLES] = "cycles",
						 [MS_DIFF_STALL] = "stall",
						 [MS_DIFF_COMPUTE] = "compute",
						 [MS_DIFF_REFERENCES] = "references" };

/* What they are in simulated runs, and in runs sampled on the real machine by their unit. */
static const char *const simulated[MS_DIFF_FIXED] = {
	[MS_DIFF_CYCLES] = "cycles: compute and memory stall",
	[MS_DIFF_STALL] = "memory stall cycles",
	[MS_DIFF_COMPUTE] = "compute cycles: instructions",
	[MS_DIFF_REFERENCES] = "references",
};
/* Of an out-of-order core. */
static const char *const timed[MS_DIFF_FIXED] = {
	[MS_DIFF_CYCLES] = "cycles: compute and memory stall (estimated)",
	[MS_DIFF_STALL] = "memory stall cycles (estimated)",
	[MS_DIFF_COMPUTE] = "compute cycles (estimated)",
	[MS_DIFF_REFERENCES] = "references",
};
/* Of joined runs: where the clock is not known, a cycle is a nanosecond. */
static const char *const measured[][MS_DIFF_FIXED] = {
	{ "nanoseconds: compute and memory stall (measured)",
	  "memory stall in nanoseconds (measured)", "compute in nanoseconds (measured)",
	  "references" },
	{ "cycles: compute and memory stall (measured)", "memory stall cycles (measured)",
	  "compute cycles (measured)", "references" },
};
static const char *const sampled[MS_RUN_UNITS][MS_DIFF_FIXED] = {
	[MS_RUN_NO_UNIT] = { "all time: not known", "memory stall: not known", "compute: not known",
			     "page faults" },
	[MS_RUN_CYCLES] = { "latency in cycles, and compute", "latency in cycles", "compute",
			    "references" },
	[MS_RUN_NANOSECONDS] = { "nanoseconds in all", "memory stall in nanoseconds",
				 "compute in nanoseconds", "samples that waited" },
};

/* --- what is compared --- */

static uint32_t level_of(const struct ms_run *run, const char *name)
{
	for (uint32_t i = 0; i < run->levels.n; i++)
		if (strcmp(run->levels.at[i].name, name) == 0)
			return i;
	return MS_NONE;
}

static void find_levels(struct ms_diff_builder *d)
{
	const struct ms_run *first = d->runs.at[0].run;

	for (size_t i = 0; i < first->levels.n; i++) {
		const char *name = first->levels.at[i].name;
		bool common = true;

		for (size_t r = 1; r < d->runs.n; r++)
			common = common && level_of(d->runs.at[r].run, name) != MS_NONE;
		if (!common)
			continue;
		*ms_vec_add(&d->diff->levels) = name;
		for (size_t r = 0; r < d->runs.n; r++)
			*ms_vec_add(&d->runs.at[r].levels) = level_of(d->runs.at[r].run, name);
	}
}

static const char *const *texts_of(const struct ms_run *run)
{
	if (ms_run_is_measured(run))
		return sampled[run->hardware.at[0].unit];
	if (ms_run_has_measured_time(run))
		return measured[run->clock_mhz > 0];
	return ms_run_is_timed(run) ? timed : simulated;
}

static void list_metrics(struct ms_diff *diff)
{
	const char *const *texts = texts_of(diff->sides[1].runs[0]);

	for (size_t i = 0; i < MS_DIFF_FIXED; i++)
		*ms_vec_add(&diff->metrics) = (struct ms_diff_metric){ keys[i], texts[i] };
	for (size_t i = 0; i < diff->levels.n; i++)
		*ms_vec_add(&diff->metrics) = (struct ms_diff_metric){
			ms_arena_printf(&diff->arena, "%s_misses", diff->levels.at[i]),
			ms_arena_printf(&diff->arena, "%s misses", diff->levels.at[i])
		};
}

size_t ms_diff_find_metric(const struct ms_diff *diff, const char *key)
{
	for (size_t i = 0; i < diff->metrics.n; i++)
		if (strcmp(diff->metrics.at[i].key, key) == 0)
			return i;
	return SIZE_MAX;
}

bool ms_diff_has(const struct ms_diff *diff, const struct ms_diff_row *row, size_t metric)
{
	return metric != MS_DIFF_REFERENCES || row->data == NULL || !diff->misses_only;
}

static int choose_metric(struct ms_diff *diff, const char *key, struct ms_err *err)
{
	struct ms_text known = MS_TEXT_INIT;

	diff->metric = ms_diff_find_metric(diff, key != NULL ? key : "stall");
	if (diff->metric == MS_DIFF_REFERENCES && diff->misses_only)
		return ms_fail(err, MS_EUSAGE,
			       "references cannot be compared: a run was made with --misses-only, "
			       "which does not count those of data");
	if (diff->metric != SIZE_MAX)
		return MS_OK;
	for (size_t i = 0; i < diff->metrics.n; i++)
		ms_text_addf(&known, "%s%s", i > 0 ? ", " : "", diff->metrics.at[i].key);
	ms_fail(err, MS_EUSAGE, "unknown metric '%s', expected one of %s", key, known.at);
	ms_text_free(&known);
	return MS_EUSAGE;
}

/* --- adding up --- */

static void add_counts(const struct ms_diff_builder *d, size_t r, double *values,
		       const struct ms_summary_counts *c)
{
	double *v = values + r * d->figures;
	size_t n = d->diff->levels.n;

	v[MS_DIFF_STALL] += (double)ms_summary_rw_sum(c->stall);
	v[MS_DIFF_COMPUTE] += (double)c->compute;
	v[MS_DIFF_CYCLES] += (double)(ms_summary_rw_sum(c->stall) + c->compute);
	v[MS_DIFF_REFERENCES] += (double)ms_summary_rw_sum(c->references);
	for (size_t i = 0; i < n; i++) {
		const struct ms_summary_level_counts *l = &c->levels[d->runs.at[r].levels.at[i]];

		v[MS_DIFF_FIXED + i] += (double)ms_summary_rw_sum(l->misses);
		for (size_t k = 0; k < MS_CAUSES; k++)
			v[MS_DIFF_FIXED + n + i * MS_CAUSES + k] += (double)l->causes[k];
	}
	v[d->plain + MS_DIFF_STALL_VARIANCE] += c->samples.latency_squares;
	v[d->plain + MS_DIFF_REFERENCES_VARIANCE] += c->samples.events_squares;
}

/* From a figure to the end of its interval that is further away. */
static double reach(double figure, struct ms_intervals_bounds b)
{
	return b.high - figure > figure - b.low ? b.high - figure : figure - b.low;
}

/* A run, added up, and how far that may be off. */
struct run_figures {
	size_t r;
	struct ms_summary s;
	struct ms_intervals within; /* of the entries that are being added */
	bool compute_is_known;      /* sampled or not */
};

static struct ms_intervals_bounds in_cycles(const struct ms_summary *s, struct ms_measured_time t)
{
	return (struct ms_intervals_bounds){ t.low * s->cost.ns, t.high * s->cost.ns };
}

/* For a run that was simulated in windows, or has measured time. Data has no compute cycles;
 * windows have no figures for code without references. */
static void add_time_reach(const struct run_figures *a, double *v,
			   const struct ms_summary_counts *c, const struct ms_intervals_entry *own)
{
	double stall = (double)ms_summary_rw_sum(c->stall), compute = (double)c->compute;
	struct ms_intervals_bounds none = { 0, 0 }, unknown = { NAN, NAN };
	struct ms_intervals_entry e = { .cycles = own != NULL ? own->cycles : none,
					.compute = own != NULL ? own->compute : unknown };

	if (a->s.cost.measured) {
		e.cycles = in_cycles(&a->s, ms_measured_stall_time(&a->s, c));
		e.compute = in_cycles(&a->s, ms_measured_compute_time(&a->s, c));
	} else if (a->compute_is_known || c->compute == 0)
		e.compute = (struct ms_intervals_bounds){ compute, compute };
	v[MS_DIFF_STALL] += reach(stall, e.cycles);
	v[MS_DIFF_COMPUTE] += reach(compute, e.compute);
	v[MS_DIFF_CYCLES] += reach(stall + compute, ms_intervals_time(&e));
}

static void add_reach(const struct ms_diff_builder *d, const struct run_figures *a, double *values,
		      const struct ms_summary_counts *c, const struct ms_intervals_entry *own)
{
	const struct ms_summary *s = &a->s;
	double *v = values + a->r * d->figures + d->plain + MS_DIFF_VARIANCES;
	size_t n = d->diff->levels.n;

	if (s->run->samplings.n == 0 && !s->cost.measured)
		return;
	add_time_reach(a, v, c, own);
	if (own == NULL) /* in no window, or all of it was simulated */
		return;
	v[MS_DIFF_REFERENCES] += reach((double)ms_summary_rw_sum(c->references),
				       ms_intervals_references(s, own->references));
	for (size_t i = 0; i < n; i++) {
		uint32_t level = d->runs.at[a->r].levels.at[i];
		const struct ms_summary_level_counts *l = &c->levels[level];
		const struct ms_intervals_level *within = &own->levels[level];

		v[MS_DIFF_FIXED + i] += reach((double)ms_summary_rw_sum(l->misses), within->misses);
		for (size_t k = 0; k < MS_CAUSES; k++)
			v[MS_DIFF_FIXED + n + i * MS_CAUSES + k] +=
				reach((double)l->causes[k], within->causes[k]);
	}
}

static void add_entry(struct ms_diff_builder *d, const struct run_figures *a,
		      struct ms_diff_items *items, uint32_t i, const struct ms_summary_entry *e)
{
	struct ms_diff_item *item = &items->at.at[ms_diff_resolve(items, i)];

	item->counted[d->runs.at[a->r].side] = true;
	add_counts(d, a->r, item->values, &e->counts);
	add_reach(d, a, item->values, &e->counts, ms_intervals_of(&a->within, e));
}

static void add_bin(struct ms_diff_builder *d, const struct run_figures *a,
		    const struct ms_summary_entry *e)
{
	size_t r = a->r;
	const struct ms_diff_run *run = &d->runs.at[r];
	uint32_t code = ms_diff_resolve(&d->codes, run->codes.at[e->code]);
	uint32_t data = ms_diff_resolve(&d->data, run->data.at[e->data]);
	uint32_t i = ms_diff_item(d, &d->bins, code, data);

	d->bins.at.at[i].code = code;
	d->bins.at.at[i].data = data;
	add_entry(d, a, &d->bins, i, e);
}

/* Represents references whose data was not looked up. */
static bool is_any(const struct ms_run *run, const struct ms_summary_entry *e)
{
	return run->data.at[e->data].kind == MS_DATA_ANY;
}

typedef void add_function(struct ms_diff_builder *d, const struct run_figures *a,
			  const struct ms_summary_entry *e);

static void add_total(struct ms_diff_builder *d, const struct run_figures *a,
		      const struct ms_summary_entry *e)
{
	add_counts(d, a->r, d->total, &e->counts);
	add_reach(d, a, d->total, &e->counts, ms_intervals_at(&a->within, 0));
}

static void add_code(struct ms_diff_builder *d, const struct run_figures *a,
		     const struct ms_summary_entry *e)
{
	add_entry(d, a, &d->codes, d->runs.at[a->r].codes.at[e->code], e);
}

static void add_data(struct ms_diff_builder *d, const struct run_figures *a,
		     const struct ms_summary_entry *e)
{
	if (!is_any(a->s.run, e))
		add_entry(d, a, &d->data, d->runs.at[a->r].data.at[e->data], e);
}

static void add_line(struct ms_diff_builder *d, const struct run_figures *a,
		     const struct ms_summary_entry *e)
{
	add_entry(d, a, &d->lines, d->runs.at[a->r].lines.at[e->line], e);
}

static void add_any_bin(struct ms_diff_builder *d, const struct run_figures *a,
			const struct ms_summary_entry *e)
{
	if (!is_any(a->s.run, e))
		add_bin(d, a, e);
}

static void add_all(struct ms_diff_builder *d, struct run_figures *a,
		    enum ms_summary_entry_kind kind, const struct ms_summary_entry *entries,
		    size_t n, add_function *add)
{
	ms_intervals_by_kind(&a->within, &a->s, kind, NULL);
	for (size_t i = 0; i < n; i++)
		add(d, a, &entries[i]);
	ms_intervals_free(&a->within);
}

static int add_run(struct ms_diff_builder *d, size_t r, const char *latency, struct ms_err *err)
{
	struct run_figures a = { .r = r };

	MS_TRY(ms_summary_make(&a.s, d->runs.at[r].run, NULL, latency, err));
	a.compute_is_known = a.s.run->samplings.n == 0 || ms_intervals_compute_is_known(a.s.run);
	add_all(d, &a, MS_ENTRY_TOTAL, &a.s.total, 1, add_total);
	add_all(d, &a, MS_ENTRY_CODE, a.s.code.at.at, a.s.code.at.n, add_code);
	add_all(d, &a, MS_ENTRY_DATA, a.s.data.at.at, a.s.data.at.n, add_data);
	add_all(d, &a, MS_ENTRY_LINE, a.s.lines.at.at, a.s.lines.at.n, add_line);
	add_all(d, &a, MS_ENTRY_BIN, a.s.bins.at.at, a.s.bins.at.n, add_any_bin);
	ms_summary_free(&a.s);
	return MS_OK;
}

/* --- changes --- */

static void fill_row(struct ms_diff_builder *d, const double *values, struct ms_diff_row *row)
{
	size_t metrics = d->diff->metrics.n, causes = d->diff->levels.n * MS_CAUSES;

	row->changes = ms_arena_take(&d->diff->arena, metrics * sizeof(*row->changes));
	row->causes = ms_arena_take(&d->diff->arena, (causes + 1) * sizeof(*row->causes));
	for (size_t i = 0; i < metrics; i++)
		row->changes[i] = ms_diff_make_change(d, values, i);
	for (size_t i = 0; i < causes; i++)
		row->causes[i] = ms_diff_make_change(d, values, metrics + i);
}

/* The name on the later side, or on the earlier one if it has none there. */
static const char *later(struct ms_diff *diff, const struct ms_diff_item *item)
{
	return ms_arena_strdup(&diff->arena, item->name[item->name[1] != NULL]);
}

static enum ms_diff_presence presence_of(const struct ms_diff_item *item)
{
	if (item->counted[0] && item->counted[1])
		return MS_DIFF_BOTH;
	return item->counted[0] ? MS_DIFF_GONE : MS_DIFF_APPEARED;
}

static void name_bin(struct ms_diff_builder *d, const struct ms_diff_item *item,
		     struct ms_diff_row *row)
{
	const struct ms_diff_item *code = &d->codes.at.at[item->code];
	const struct ms_diff_item *data = &d->data.at.at[item->data];
	struct ms_diff *diff = d->diff;

	row->code = later(diff, code);
	row->data = later(diff, data);
	row->type = data->type != NULL ? ms_arena_strdup(&diff->arena, data->type) : NULL;
	row->name = ms_arena_printf(&diff->arena, "%s / %s", row->code, row->data);
}

static void name_row(struct ms_diff_builder *d, enum ms_diff_list_kind by,
		     const struct ms_diff_item *item, struct ms_diff_row *row)
{
	struct ms_arena *arena = &d->diff->arena;

	if (by == MS_DIFF_BIN) {
		name_bin(d, item, row);
		return;
	}
	row->name = later(d->diff, item);
	if (item->name[0] != NULL && item->name[1] != NULL &&
	    strcmp(item->name[0], item->name[1]) != 0)
		row->old_name = ms_arena_strdup(arena, item->name[0]);
	if (by == MS_DIFF_CODE) {
		row->code = row->name;
		row->is_mpi_waiting = item->is_mpi_waiting;
	}
	if (by == MS_DIFF_DATA) {
		row->data = row->name;
		row->type = item->type != NULL ? ms_arena_strdup(arena, item->type) : NULL;
	}
	if (by == MS_DIFF_LINE) {
		row->code = later(d->diff, &d->codes.at.at[item->code]);
		row->file = item->file != NULL ? ms_arena_strdup(arena, item->file) : NULL;
		row->line = item->line[item->name[1] != NULL];
		row->old_line = item->line[item->name[0] == NULL];
	}
}

static int by_change(const void *a, const void *b, void *diff)
{
	const struct ms_diff_row *x = a, *y = b;
	const struct ms_diff_change *of_x = ms_diff_row_change(diff, x),
				    *of_y = ms_diff_row_change(diff, y);
	double by_x = fabs(ms_diff_change_amount(of_x)), by_y = fabs(ms_diff_change_amount(of_y));
	int order = (by_x < by_y) - (by_x > by_y);

	if (order == 0)
		order = (of_x->before < of_y->before) - (of_x->before > of_y->before);
	if (order == 0)
		order = strcmp(x->name, y->name);
	return order != 0 ? order : ms_cmp_u64(x->line, y->line);
}

static void list_rows(struct ms_diff_builder *d, enum ms_diff_list_kind by,
		      const struct ms_diff_items *items)
{
	struct ms_diff_rows *rows = &d->diff->lists[by];

	for (size_t i = 0; i < items->at.n; i++) {
		const struct ms_diff_item *item = &items->at.at[i];

		if (item->same_as != MS_NONE || (!item->counted[0] && !item->counted[1]))
			continue;
		struct ms_diff_row *row = ms_vec_add(&rows->at);
		row->presence = presence_of(item);
		name_row(d, by, item, row);
		fill_row(d, item->values, row);
	}
	if (rows->at.n > 0)
		qsort_r(rows->at.at, rows->at.n, sizeof(*rows->at.at), by_change, d->diff);
}

/* --- all of it --- */

static int make(struct ms_diff_builder *d, const struct ms_diff_options *options,
		struct ms_err *err)
{
	struct ms_diff *diff = d->diff;

	find_levels(d);
	list_metrics(diff);
	MS_TRY(choose_metric(diff, options->metric, err));
	d->plain = diff->metrics.n + diff->levels.n * MS_CAUSES;
	d->figures = 2 * d->plain + MS_DIFF_VARIANCES;
	d->total = ms_arena_take(&diff->arena, d->runs.n * d->figures * sizeof(*d->total));
	ms_diff_match_items(d);
	ms_diff_match_lines(d);
	for (size_t r = 0; r < d->runs.n; r++)
		MS_TRY(add_run(d, r, options->latency, err));
	diff->total.name = "total";
	fill_row(d, d->total, &diff->total);
	if (options->metric == NULL && diff->total.changes[MS_DIFF_STALL].before == 0 &&
	    diff->total.changes[MS_DIFF_STALL].after == 0 && !diff->misses_only)
		diff->metric =
			MS_DIFF_REFERENCES; /* nothing stalls, or stall times are not known */
	list_rows(d, MS_DIFF_BIN, &d->bins);
	list_rows(d, MS_DIFF_DATA, &d->data);
	list_rows(d, MS_DIFF_CODE, &d->codes);
	list_rows(d, MS_DIFF_LINE, &d->lines);
	ms_diff_add_remarks(diff);
	return MS_OK;
}

static void add_side(struct ms_diff_builder *d, unsigned side, struct ms_diff_side runs)
{
	d->diff->sides[side] = runs;
	for (size_t i = 0; i < runs.n; i++) {
		struct ms_diff_run *r = ms_vec_add(&d->runs);

		r->run = runs.runs[i];
		r->side = side;
		d->diff->misses_only = d->diff->misses_only || r->run->misses_only != 0;
	}
}

static void free_items(struct ms_diff_items *items)
{
	ms_map_free(&items->map);
	ms_vec_free(&items->at);
}

static void free_differ(struct ms_diff_builder *d)
{
	for (size_t i = 0; i < d->runs.n; i++) {
		ms_vec_free(&d->runs.at[i].codes);
		ms_vec_free(&d->runs.at[i].data);
		ms_vec_free(&d->runs.at[i].lines);
		ms_vec_free(&d->runs.at[i].levels);
	}
	ms_vec_free(&d->runs);
	free_items(&d->codes);
	free_items(&d->data);
	free_items(&d->bins);
	free_items(&d->lines);
	ms_names_free(&d->names);
}

static bool is_sampled(const struct ms_run *run)
{
	return ms_run_is_measured(run) && !ms_measured_is_complete(run);
}

static bool has_intervals(const struct ms_run *run)
{
	return run->samplings.n > 0 || ms_run_has_measured_time(run);
}

/* Whether single runs have errors, from their samples or windows. */
static bool is_noisy(const struct ms_run *before, const struct ms_run *after)
{
	return (is_sampled(before) && is_sampled(after)) || has_intervals(before) ||
	       has_intervals(after);
}

int ms_diff_make(struct ms_diff *diff, struct ms_diff_side before, struct ms_diff_side after,
		 const struct ms_diff_options *options, struct ms_err *err)
{
	struct ms_diff_builder d = { .diff = diff };

	*diff = (struct ms_diff){ .noisy = before.n + after.n > 2 ||
					   is_noisy(before.runs[0], after.runs[0]) };
	add_side(&d, 0, before);
	add_side(&d, 1, after);
	int code = make(&d, options, err);
	free_differ(&d);
	if (code != MS_OK)
		ms_diff_free(diff);
	return code;
}

void ms_diff_free(struct ms_diff *diff)
{
	for (size_t i = 0; i < MS_DIFF_LISTS; i++)
		ms_vec_free(&diff->lists[i].at);
	ms_vec_free(&diff->levels);
	ms_vec_free(&diff->metrics);
	ms_vec_free(&diff->remarks);
	ms_arena_free(&diff->arena);
}

const struct ms_diff_change *ms_diff_row_change(const struct ms_diff *diff,
						const struct ms_diff_row *row)
{
	return &row->changes[diff->metric];
}

double ms_diff_share(const struct ms_diff *diff, const struct ms_diff_row *row)
{
	return ms_diff_change_share(ms_diff_row_change(diff, row),
				    ms_diff_change_amount(ms_diff_row_change(diff, &diff->total)));
}
