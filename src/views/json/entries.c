/* views/json/entries.c - totals, and lists of code, data, bins, lines and processors. */
#include "views/json/report.h"

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/intervals.h"
#include "analysis/describe/describe.h"
#include "analysis/measured/measured.h"
#include "analysis/summary/rounded_shares.h"
#include "base/json.h"
#include "base/num.h"
#include "run/enum_words.h"
#include "views/entries.h"
#include "views/json/parts.h"

static void normalised(struct ms_json *j, const struct ms_run *run,
		       const struct ms_summary_counts *c)
{
	if (run->processors > 1)
		ms_json_u64(j, "normalised_cycles", ms_round_u64(c->normalised));
}

/* Of a sampled run: how far the figures of all cells together may be off. */
static void intervals_of_all(struct ms_json *j, const struct ms_summary *whole)
{
	struct ms_intervals intervals;

	ms_intervals_by_kind(&intervals, whole, MS_ENTRY_TOTAL, NULL);
	ms_intervals_split_rw(&intervals, whole, MS_ENTRY_TOTAL, NULL);
	ms_views_json_intervals(j, whole->run, &whole->total.counts,
				ms_intervals_at(&intervals, 0));
	ms_intervals_free(&intervals);
}

/* As the timing model estimates it, and as it was measured. */
static void milliseconds(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_summary_counts *c = &s->total.counts;
	uint64_t cycles = s->cost.measured
				  ? c->estimated.compute + ms_summary_rw_sum(c->estimated.stall)
				  : c->compute + ms_summary_rw_sum(c->stall);

	if (ms_run_is_timed(s->run) && s->run->clock_mhz > 0)
		ms_json_real(j, "estimated_ms", (double)cycles / (1000.0 * s->run->clock_mhz));
	if (!s->cost.measured)
		return;
	ms_json_u64(j, "compute_ns", c->samples.compute);
	ms_json_real(j, "measured_ms",
		     ((double)c->samples.compute + (double)c->samples.latency) / 1e6);
}

void ms_views_json_totals(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_summary_counts *c = &s->total.counts;

	ms_json_object(j, "totals");
	if (ms_run_is_measured(s->run)) {
		ms_views_json_compute(j, s->run, c);
		ms_views_json_samples(j, s, c);
		ms_views_json_answers(j, s->run, NULL, NULL);
		ms_json_end(j);
		return;
	}
	ms_json_u64(j, "instructions", c->instructions);
	ms_views_json_read_write(j, "references", c->references);
	ms_json_u64(j, "compute_cycles", c->compute);
	ms_json_u64(j, "stall_cycles", ms_summary_rw_sum(c->stall));
	if (s->run->processors > 1)
		ms_json_u64(j, "upgrades", c->upgrades);
	normalised(j, s->run, c);
	ms_views_json_levels(j, s->run, c);
	milliseconds(j, s);
	ms_views_json_measured(j, s, c);
	ms_views_json_timing(j, s->run, c);
	intervals_of_all(j, s);
	ms_json_end(j);
}

/* Of a run with call paths. */
static void inclusive(struct ms_json *j, const struct ms_summary *whole,
		      const struct ms_summary_entry *e)
{
	if (whole->run->path_misses.n > 0)
		ms_json_u64(j,
			    ms_run_is_measured(whole->run) ? "inclusive_stall_ns"
							   : "inclusive_stall_cycles",
			    e->counts.inclusive);
}

static void about_code(struct ms_json *j, const struct ms_summary *whole,
		       const struct ms_summary_entry *e)
{
	const struct ms_run_code *code = &whole->run->codes.at[e->code];

	ms_json_text(j, "name", code->name);
	ms_json_text(j, "module", code->module);
	ms_json_text(j, "file", code->file);
	ms_json_u64(j, "line", code->line);
	inclusive(j, whole, e);
	ms_views_json_compute(j, whole->run, &e->counts);
	normalised(j, whole->run, &e->counts);
}

static void frames(struct ms_json *j, const struct ms_run *run, uint32_t data)
{
	size_t n;
	const struct ms_run_frame *f = ms_describe_call_path(run, data, &n);

	ms_json_array(j, "allocated_by");
	for (size_t i = 0; i < n; i++, f++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "function", f->function);
		ms_json_text(j, "file", f->file);
		ms_json_u64(j, "line", f->line);
		ms_json_text(j, "module", f->module);
		ms_json_u64(j, "offset", f->offset);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void about_data(struct ms_json *j, const struct ms_summary *whole,
		       const struct ms_summary_entry *e)
{
	const struct ms_run_data *data = &whole->run->data.at[e->data];

	ms_json_text(j, "name", data->name);
	ms_json_text(j, "full_name", data->full_name);
	ms_json_text(j, "kind", ms_run_data_kind_word(data->kind));
	ms_json_text(j, "type", data->type);
	ms_json_text(j, "reason", data->reason);
	ms_json_u64(j, "objects", data->objects);
	ms_json_u64(j, "bytes", data->bytes);
	ms_json_u64(j, "peak_bytes", data->peak_bytes);
	ms_json_u64(j, "largest", data->largest);
	if (data->objects > 0)
		ms_json_real(j, "mean_size", ms_summary_share(data->bytes, data->objects));
	else
		ms_json_null(j, "mean_size");
	if (data->grouped > 0)
		ms_json_u64(j, "grouped", data->grouped);
}

static void about_line(struct ms_json *j, const struct ms_summary *whole,
		       const struct ms_summary_entry *e)
{
	const struct ms_run_line *line = &whole->run->lines.at[e->line];

	ms_json_text(j, "name", e->name);
	ms_json_text(j, "code", whole->run->codes.at[e->code].name);
	ms_json_text(j, "file", line->file);
	ms_json_u64(j, "line", line->line);
	inclusive(j, whole, e);
	ms_views_json_compute(j, whole->run, &e->counts);
	normalised(j, whole->run, &e->counts);
}

static void about_processor(struct ms_json *j, const struct ms_summary *whole,
			    const struct ms_summary_entry *e)
{
	ms_json_u64(j, "processor", e->processor);
	ms_views_json_compute(j, whole->run, &e->counts);
	normalised(j, whole->run, &e->counts);
}

static void about_bin(struct ms_json *j, const struct ms_summary *whole,
		      const struct ms_summary_entry *e)
{
	ms_json_text(j, "code", whole->run->codes.at[e->code].name);
	ms_json_text(j, "data", whole->run->data.at[e->data].name);
}

static void about_reason(struct ms_json *j, const struct ms_summary *whole,
			 const struct ms_summary_entry *e)
{
	(void)whole;
	ms_json_text(j, "reason", e->name);
}

/* intervals: of the entry, or NULL. */
void ms_views_json_replaced_by(struct ms_json *j, const struct ms_run *run,
			       const struct ms_summary_evictor *r, size_t n,
			       const struct ms_summary_counts *counts,
			       const struct ms_intervals_entry *intervals)
{
	ms_json_array(j, "replaced_by");
	for (size_t i = 0; i < n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "level", run->levels.at[r[i].level].name);
		ms_json_text(j, "data", run->data.at[r[i].data].name);
		ms_json_u64(j, "count", r[i].count);
		ms_views_json_low_high(j, run,
				       ms_intervals_effect_evictor(run, intervals, counts, &r[i],
								   ms_intervals_unknown_evictions(
									   run, r, n, r[i].level)));
		ms_json_end(j);
	}
	ms_json_end(j);
}

typedef void about_function(struct ms_json *j, const struct ms_summary *whole,
			    const struct ms_summary_entry *entry);

static void list(struct ms_json *j, const char *key, const struct ms_summary *whole,
		 const struct ms_summary_entries *entries, size_t n, about_function *about,
		 const struct ms_summary_selection *selection)
{
	struct ms_intervals intervals;

	enum ms_summary_entry_kind kind = n > 0 ? entries->at.at[0].kind : MS_ENTRY_REASON;

	ms_intervals_by_kind(&intervals, whole, kind, selection);
	ms_intervals_split_rw(&intervals, whole, kind, selection);
	ms_json_array(j, key);
	for (size_t i = 0; i < n; i++) {
		const struct ms_summary_entry *e = &entries->at.at[i];

		ms_json_object(j, NULL);
		about(j, whole, e);
		ms_views_json_counts(j, whole, &e->counts);
		const struct ms_intervals_entry *own = ms_intervals_of(&intervals, e);
		ms_views_json_intervals(j, whole->run, &e->counts, own);
		if (e->kind == MS_ENTRY_BIN && !ms_run_is_measured(whole->run))
			ms_views_json_replaced_by(j, whole->run, e->replaced_by.at,
						  e->replaced_by.n, &e->counts, own);
		if (e->kind == MS_ENTRY_DATA && whole->run->data.at[e->data].kind == MS_DATA_HEAP)
			frames(j, whole->run, e->data);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_intervals_free(&intervals);
}

/* The lists of a report, or of a part of it: what was selected (NULL: all). */
void ms_views_json_lists(struct ms_json *j, const struct ms_summary *whole, struct ms_summary *part,
			 const struct ms_views_options *options, bool lines,
			 const struct ms_summary_selection *selection)
{
	const struct {
		const char *key;
		struct ms_summary_entries *entries;
		about_function *about;
		bool wanted;
	} all[] = {
		{ "code", &part->code, about_code, !options->heads },
		{ "data", &part->data, about_data, !options->heads },
		{ "bins", &part->bins, about_bin, !options->heads },
		{ "lines", &part->lines, about_line, lines },
		{ "processors", &part->processors, about_processor, whole->run->processors > 1 },
	};

	for (size_t i = 0; i < MS_COUNT(all); i++) {
		size_t n = ms_views_choose(whole, all[i].entries, options, true);

		if (all[i].wanted)
			list(j, all[i].key, whole, all[i].entries, n, all[i].about, selection);
	}
	list(j, "unattributed", whole, &part->reasons, part->reasons.at.n, about_reason, selection);
}
