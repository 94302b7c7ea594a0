/* views/json/show.c - the report of selected code and data as JSON. */
#include "views/views.h"

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/measured/measured.h"
#include "analysis/metric/metric.h"
#include "base/json.h"
#include "views/entries.h"
#include "views/json/parts.h"
#include "views/json/report.h"

static void names(struct ms_json *j, const char *key, const struct ms_summary_entries *entries,
		  const bool *chosen)
{
	ms_json_array(j, key);
	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_summary_entry *e = &entries->at.at[i];

		if (chosen == NULL || chosen[e->kind == MS_ENTRY_DATA ? e->data : e->code])
			ms_json_text(j, NULL, e->name);
	}
	ms_json_end(j);
}

static void per_reference(struct ms_json *j, const struct ms_summary_counts *c)
{
	ms_json_object(j, "stall_per_reference");
	ms_views_json_share(j, "all", ms_summary_rw_sum(c->stall),
			    ms_summary_rw_sum(c->references));
	ms_views_json_share(j, "read", c->stall[MS_READS], c->references[MS_READS]);
	ms_views_json_share(j, "write", c->stall[MS_WRITES], c->references[MS_WRITES]);
	ms_json_end(j);
}

/* Only of runs with several processors. */
static void invalidated_by(struct ms_json *j, const struct ms_summary_detail *d)
{
	const struct ms_run *run = d->part.run;

	if (run->processors == 1)
		return;
	ms_json_array(j, "invalidated_by");
	for (size_t i = 0; i < d->invalidated_by.n; i++) {
		const struct ms_summary_invalidator *by = &d->invalidated_by.at[i];

		ms_json_object(j, NULL);
		ms_json_u64(j, "processor", by->processor);
		ms_json_text(j, "code", run->codes.at[by->code].name);
		ms_json_text(j, "data", run->data.at[by->data].name);
		ms_json_u64(j, "true_sharing", by->truly);
		ms_json_u64(j, "false_sharing", by->falsely);
		ms_json_end(j);
	}
	ms_json_end(j);
}

/* What has intervals, and those of all that was selected. */
static void selected_intervals(struct ms_json *j, const struct ms_summary_detail *d)
{
	const struct ms_summary_selection selection = { d->code, d->data };
	struct ms_intervals intervals;

	ms_intervals_by_kind(&intervals, &d->whole, MS_ENTRY_TOTAL, &selection);
	ms_intervals_split_rw(&intervals, &d->whole, MS_ENTRY_TOTAL, &selection);
	const struct ms_intervals_entry *own = ms_intervals_at(&intervals, 0);
	ms_views_json_replaced_by(j, d->part.run, d->replaced_by.at, d->replaced_by.n,
				  &d->part.total.counts, own);
	invalidated_by(j, d);
	ms_views_json_intervals(j, d->part.run, &d->part.total.counts, own);
	ms_intervals_free(&intervals);
}

static void selected(struct ms_json *j, const struct ms_summary_detail *d)
{
	const struct ms_summary_counts *part = &d->part.total.counts,
				       *whole = &d->whole.total.counts;
	const struct ms_run *run = d->part.run;

	ms_json_object(j, "selected");
	names(j, "code", &d->part.code, d->code);
	names(j, "data", &d->part.data, d->data);
	if (ms_run_is_measured(run)) {
		if (d->data == NULL) /* data does not compute */
			ms_views_json_compute(j, run, part);
		ms_views_json_samples(j, &d->whole, part);
		ms_views_json_answers(j, run, d->code, d->data);
		ms_json_end(j);
		return;
	}
	ms_json_u64(j, "elapsed_compute_cycles", d->elapsed_compute);
	ms_json_u64(j, "elapsed_stall_cycles", d->elapsed_stall);
	ms_views_json_counts(j, &d->whole, part);
	ms_views_json_read_write(j, "stall", part->stall);
	bool known = ms_summary_knows_references(run, part);
	if (known) {
		per_reference(j, part);
		ms_views_json_share(j, "reference_share", ms_summary_rw_sum(part->references),
				    ms_summary_rw_sum(whole->references));
	}
	ms_json_array(j, "miss_shares");
	for (size_t i = 0; i < run->levels.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[i].name);
		ms_views_json_share(j, "miss_share", ms_summary_rw_sum(part->levels[i].misses),
				    ms_summary_rw_sum(whole->levels[i].misses));
		if (known)
			ms_views_json_share(j, "miss_rate",
					    ms_summary_rw_sum(part->levels[i].misses),
					    ms_summary_rw_sum(part->references));
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_views_json_cache_sets(j, run, d->data);
	ms_views_json_line_use(j, run, d->code, d->data);
	if (d->code == NULL)
		ms_views_json_intrinsic(j, run, d->data);
	selected_intervals(j, d);
	ms_json_end(j);
}

int ms_views_json_show(struct ms_summary_detail *d, const struct ms_views_options *options,
		       FILE *out, struct ms_err *err)
{
	struct ms_json j;

	MS_TRY(ms_metric_sort(&d->whole, ms_views_list_by(&d->part, options->by), options->sort,
			      err));
	ms_views_json_begin(&j, out);
	ms_views_json_run_object(&j, &d->whole);
	ms_views_json_totals(&j, &d->whole);
	selected(&j, d);
	ms_views_json_lists(&j, &d->whole, &d->part, options, true,
			    &(struct ms_summary_selection){ d->code, d->data });
	ms_json_end(&j);
	return MS_OK;
}
