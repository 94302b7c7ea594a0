/* views/json.c - one JSON object a command; docs/formats/report-json.md describes them. */
#include "base/json.h"

#include <inttypes.h>

#include "analysis/effect.h"
#include "analysis/estimate.h"
#include "analysis/hardware.h"
#include "analysis/intervals.h"
#include "analysis/metric.h"
#include "analysis/phases.h"
#include "analysis/share.h"
#include "base/num.h"
#include "run/words.h"
#include "views/views_priv.h"

static void machine(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;
	size_t n = run->levels.n;

	ms_json_text(j, "machine", run->machine);
	ms_json_text(j, "machine_origin", run->machine_origin);
	if (ms_hardware_run(run))
		return;
	ms_json_array(j, "machine_levels");
	for (size_t i = 0; i < n; i++) {
		const struct ms_run_level *level = &run->levels.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", level->name);
		ms_json_u64(j, "size", level->size);
		ms_json_u64(j, "ways", level->ways);
		ms_json_u64(j, "line", level->line);
		ms_json_u64(j, "latency", i > 0 ? s->cost.answer.at[i - 1] : 0);
		ms_json_u64(j, "processors", level->processors);
		for (int k = 0; k < MS_TRAITS; k++)
			ms_json_text(j, ms_level_trait_name((enum ms_level_trait)k),
				     ms_level_trait_word((enum ms_level_trait)k, level->traits[k]));
		ms_json_u64(j, "prefetch", level->prefetch);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_u64(j, "memory_latency", n > 0 ? s->cost.answer.at[n - 1] : run->memory_latency);
}

/* Only of runs with several. */
static void processors(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;

	if (run->processors == 1)
		return;
	ms_json_u64(j, "processors", run->processors);
	ms_json_text(j, "protocol", ms_run_protocol_word(run->protocol));
	ms_json_u64(j, "nodes", run->nodes);
	ms_json_u64(j, "peer_latency", s->cost.peer);
	ms_json_u64(j, "remote_latency", s->cost.remote);
	ms_json_text(j, "placement", ms_run_placement_word(run->placement));
	ms_json_u64(j, "seed", run->seed);
}

void ms_view_json_run(struct ms_json *j, const struct ms_run *run)
{
	ms_json_object(j, "run");
	if (run->id > 0)
		ms_json_i64(j, "id", run->id);
	else
		ms_json_null(j, "id");
	ms_json_text(j, "tag", run->tag);
	ms_json_text(j, "started", run->started);
	ms_json_text(j, "program", run->program);
	ms_view_json_texts(j, "argv", run->argv.at, run->argv.n);
}

void ms_view_json_begin(struct ms_json *j, FILE *out)
{
	ms_json_init(j, out);
	ms_json_object(j, NULL);
	ms_json_u64(j, "schema_version", MS_VIEW_SCHEMA);
}

void ms_view_json_begin_run(struct ms_json *j, const struct ms_run *run, FILE *out)
{
	ms_view_json_begin(j, out);
	ms_view_json_run(j, run);
	ms_json_text(j, "machine", run->machine);
}

static void invalidations(struct ms_json *j, const struct ms_level_estimate *e)
{
	ms_json_object(j, "invalidations");
	ms_json_real(j, "rate", e->lost);
	ms_json_real(j, "low", e->lost_low);
	ms_json_real(j, "high", e->lost_high);
	ms_json_end(j);
}

/* Only of sampled runs. */
static void sampling(struct ms_json *j, const struct ms_run *run)
{
	const struct ms_run_sampling *s = run->samplings.at;
	struct ms_estimates estimates;

	if (run->samplings.n == 0)
		return;
	ms_estimates_make(&estimates, run, NULL, NULL);
	ms_json_object(j, "sampling");
	ms_json_real(j, "ratio", s->ratio);
	ms_json_u64(j, "window", s->window);
	ms_json_u64(j, "sets", s->sets);
	ms_json_u64(j, "windows", s->windows);
	ms_json_u64(j, "references", s->references);
	ms_json_real(j, "total", s->total);
	ms_json_real(j, "total_low", s->total_low);
	ms_json_real(j, "total_high", s->total_high);
	if (s->wanted > 0) {
		ms_json_real(j, "wanted", s->wanted);
		ms_json_real(j, "reached", estimates.levels.at[0].error);
	}
	ms_json_array(j, "miss_rates");
	for (size_t i = 0; i < estimates.levels.n; i++) {
		const struct ms_level_estimate *e = &estimates.levels.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[i].name);
		ms_json_real(j, "rate", e->rate[MS_ESTIMATE_RUN]);
		ms_json_real(j, "low", e->low);
		ms_json_real(j, "high", e->high);
		if (run->processors > 1)
			invalidations(j, e);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_end(j);
	ms_estimates_free(&estimates);
}

static void origin(struct ms_json *j, const struct ms_run *run)
{
	ms_view_json_tags(j, run->tag, run->tags.at, run->tags.n);
	ms_json_text(j, "note", run->note);
	ms_json_text(j, "build_id", run->build_id);
	ms_json_text(j, "git_commit", run->git_commit);
	ms_view_json_dirty(j, run->git_commit, run->git_dirty != 0);
	ms_json_text(j, "host", run->host);
	ms_json_array(j, "environment");
	for (size_t i = 0; i < run->environment.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->environment.at[i].name);
		ms_json_text(j, "value", run->environment.at[i].value);
		ms_json_end(j);
	}
	ms_json_end(j);
}

/* Absent where nothing was. */
static void merged(struct ms_json *j, const struct ms_run *run)
{
	uint64_t paths = 0;

	for (size_t i = 0; i < run->data.n; i++)
		paths += run->data.at[i].paths;
	if (paths == 0 && run->merged_sites == 0 && run->merged_pairs == 0)
		return;
	ms_json_object(j, "merged");
	ms_json_u64(j, "paths", paths);
	ms_json_u64(j, "instructions", run->merged_sites);
	ms_json_u64(j, "pairs", run->merged_pairs);
	ms_json_u64(j, "pair_error", run->pair_error);
	ms_json_end(j);
}

static void untraced(struct ms_json *j, const struct ms_run *run)
{
	ms_json_array(j, "untraced");
	for (size_t i = 0; i < run->untraced.n; i++) {
		const struct ms_run_untraced *u = &run->untraced.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "reason", u->reason);
		ms_json_text(j, "who", ms_run_who_word(u->who));
		ms_json_u64(j, "times", u->times);
		ms_json_real(j, "seconds", u->seconds);
		ms_json_end(j);
	}
	ms_json_end(j);
	if (run->untraced.n > 0)
		ms_json_real(j, "processor_seconds", run->processor_seconds);
}

static void run_object(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;

	ms_view_json_run(j, run);
	origin(j, run);
	ms_json_text(j, "frontend", run->frontend);
	ms_json_text(j, "memspy", run->memspy);
	machine(j, s);
	processors(j, s);
	ms_json_text(j, "end", ms_run_end_word(run->end));
	ms_json_i64(j, "exit_status", run->exit_status);
	ms_json_real(j, "wall_seconds", run->wall_seconds);
	ms_json_u64(j, "workers", run->workers);
	ms_json_u64(j, "stops", run->stops);
	untraced(j, run);
	ms_json_bool(j, "misses_only", run->misses_only != 0);
	merged(j, run);
	ms_view_json_relation(j, run->parent, run->relation);
	sampling(j, run);
	ms_view_json_hardware(j, run);
	if (run->checkpoints.n > 0)
		ms_view_json_checkpoint(j, run->checkpoints.at);
	ms_json_end(j);
}

static void phase_between(struct ms_json *j, const struct ms_run *run,
			  const struct ms_phase_within *within)
{
	if (within == NULL)
		return;
	ms_json_object(j, "intervals");
	ms_view_json_between(j, "references", within->references);
	ms_json_array(j, "levels");
	for (size_t i = 0; i < run->levels.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[i].name);
		ms_view_json_between(j, "misses", within->misses[i]);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_json_end(j);
}

static void phases(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_run *run = s->run;
	struct ms_arena arena = MS_ARENA_INIT;
	const struct ms_phase_within *within = ms_phases_within(s, &arena);
	size_t at = 0;

	ms_json_array(j, "phases");
	for (uint32_t i = 0; i < run->phases.n; i++) {
		const struct ms_run_phase *phase = &run->phases.at[i];

		ms_json_object(j, NULL);
		ms_json_text(j, "name", phase->name);
		ms_json_u64(j, "times", phase->times);
		if (ms_hardware_run(run)) {
			ms_view_json_phase(j, run, i);
			ms_json_end(j);
			continue;
		}
		ms_json_u64(j, "references", phase->references);
		ms_json_array(j, "levels");
		for (; at < run->phase_misses.n && run->phase_misses.at[at].phase == i; at++) {
			const struct ms_run_phase_miss *m = &run->phase_misses.at[at];

			ms_json_object(j, NULL);
			ms_json_text(j, "name", run->levels.at[m->level].name);
			ms_json_u64(j, "misses", m->misses);
			ms_json_end(j);
		}
		ms_json_end(j);
		phase_between(j, run, within != NULL ? &within[i] : NULL);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_arena_free(&arena);
}

static void normalised(struct ms_json *j, const struct ms_run *run, const struct ms_counts *c)
{
	if (run->processors > 1)
		ms_json_u64(j, "normalised_cycles", ms_round_u64(c->normalised));
}

/* Of a sampled run: how far the figures of all cells together may be off. */
static void intervals_of_all(struct ms_json *j, const struct ms_summary *whole)
{
	struct ms_intervals intervals;

	ms_intervals_by(&intervals, whole, MS_ENTRY_TOTAL, NULL);
	ms_intervals_split(&intervals, whole, MS_ENTRY_TOTAL, NULL);
	ms_view_json_intervals(j, whole->run, &whole->total.counts, ms_intervals_at(&intervals, 0));
	ms_intervals_free(&intervals);
}

static void totals(struct ms_json *j, const struct ms_summary *s)
{
	const struct ms_counts *c = &s->total.counts;

	ms_json_object(j, "totals");
	if (ms_hardware_run(s->run)) {
		ms_view_json_compute(j, s->run, c);
		ms_view_json_samples(j, s, c);
		ms_view_json_answers(j, s->run, NULL, NULL);
		ms_json_end(j);
		return;
	}
	ms_json_u64(j, "instructions", c->instructions);
	ms_view_json_read_write(j, "references", c->references);
	ms_json_u64(j, "compute_cycles", c->instructions);
	ms_json_u64(j, "stall_cycles", ms_both(c->stall));
	if (s->run->processors > 1)
		ms_json_u64(j, "upgrades", c->upgrades);
	normalised(j, s->run, c);
	ms_view_json_levels(j, s->run, c);
	intervals_of_all(j, s);
	ms_json_end(j);
}

static void about_code(struct ms_json *j, const struct ms_summary *whole, const struct ms_entry *e)
{
	const struct ms_run_code *code = &whole->run->codes.at[e->code];

	ms_json_text(j, "name", code->name);
	ms_json_text(j, "module", code->module);
	ms_json_text(j, "file", code->file);
	ms_json_u64(j, "line", code->line);
	ms_view_json_compute(j, whole->run, &e->counts);
	normalised(j, whole->run, &e->counts);
}

static void frames(struct ms_json *j, const struct ms_run *run, uint32_t data)
{
	size_t n;
	const struct ms_run_frame *f = ms_about_frames(run, data, &n);

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

static void about_data(struct ms_json *j, const struct ms_summary *whole, const struct ms_entry *e)
{
	const struct ms_run_data *data = &whole->run->data.at[e->data];

	ms_json_text(j, "name", data->name);
	ms_json_text(j, "full_name", data->full_name);
	ms_json_text(j, "kind", ms_data_kind_word(data->kind));
	ms_json_text(j, "type", data->type);
	ms_json_text(j, "reason", data->reason);
	ms_json_u64(j, "objects", data->objects);
	ms_json_u64(j, "bytes", data->bytes);
	ms_json_u64(j, "peak_bytes", data->peak_bytes);
	ms_json_u64(j, "largest", data->largest);
	if (data->objects > 0)
		ms_json_real(j, "mean_size", ms_share(data->bytes, data->objects));
	else
		ms_json_null(j, "mean_size");
}

static void about_line(struct ms_json *j, const struct ms_summary *whole, const struct ms_entry *e)
{
	const struct ms_run_line *line = &whole->run->lines.at[e->line];

	ms_json_text(j, "name", e->name);
	ms_json_text(j, "code", whole->run->codes.at[e->code].name);
	ms_json_text(j, "file", line->file);
	ms_json_u64(j, "line", line->line);
	ms_view_json_compute(j, whole->run, &e->counts);
	normalised(j, whole->run, &e->counts);
}

static void about_processor(struct ms_json *j, const struct ms_summary *whole,
			    const struct ms_entry *e)
{
	ms_json_u64(j, "processor", e->processor);
	ms_view_json_compute(j, whole->run, &e->counts);
	normalised(j, whole->run, &e->counts);
}

static void about_bin(struct ms_json *j, const struct ms_summary *whole, const struct ms_entry *e)
{
	ms_json_text(j, "code", whole->run->codes.at[e->code].name);
	ms_json_text(j, "data", whole->run->data.at[e->data].name);
}

static void about_reason(struct ms_json *j, const struct ms_summary *whole,
			 const struct ms_entry *e)
{
	(void)whole;
	ms_json_text(j, "reason", e->name);
}

/* intervals: of the entry, or NULL. */
static void replaced_by(struct ms_json *j, const struct ms_run *run, const struct ms_replacer *r,
			size_t n, const struct ms_counts *counts,
			const struct ms_entry_intervals *intervals)
{
	ms_json_array(j, "replaced_by");
	for (size_t i = 0; i < n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "level", run->levels.at[r[i].level].name);
		ms_json_text(j, "data", run->data.at[r[i].data].name);
		ms_json_u64(j, "count", r[i].count);
		ms_view_json_bounds(j, run,
				    ms_effect_replacer(run, intervals, counts, &r[i],
						       ms_effect_not_seen(run, r, n, r[i].level)));
		ms_json_end(j);
	}
	ms_json_end(j);
}

/* Only of runs with several processors. */
static void invalidated_by(struct ms_json *j, const struct ms_detail *d)
{
	const struct ms_run *run = d->part.run;

	if (run->processors == 1)
		return;
	ms_json_array(j, "invalidated_by");
	for (size_t i = 0; i < d->invalidated_by.n; i++) {
		const struct ms_invalidator *by = &d->invalidated_by.at[i];

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

typedef void about_function(struct ms_json *j, const struct ms_summary *whole,
			    const struct ms_entry *entry);

static void list(struct ms_json *j, const char *key, const struct ms_summary *whole,
		 const struct ms_entries *entries, size_t n, about_function *about,
		 const struct ms_selection *selection)
{
	struct ms_intervals intervals;

	enum ms_entry_kind kind = n > 0 ? entries->at.at[0].kind : MS_ENTRY_REASON;

	ms_intervals_by(&intervals, whole, kind, selection);
	ms_intervals_split(&intervals, whole, kind, selection);
	ms_json_array(j, key);
	for (size_t i = 0; i < n; i++) {
		const struct ms_entry *e = &entries->at.at[i];

		ms_json_object(j, NULL);
		about(j, whole, e);
		ms_view_json_counts(j, whole, &e->counts);
		const struct ms_entry_intervals *own = ms_intervals_of(&intervals, e);
		ms_view_json_intervals(j, whole->run, &e->counts, own);
		if (e->kind == MS_ENTRY_BIN && !ms_hardware_run(whole->run))
			replaced_by(j, whole->run, e->replaced_by.at, e->replaced_by.n, &e->counts,
				    own);
		if (e->kind == MS_ENTRY_DATA && whole->run->data.at[e->data].kind == MS_DATA_HEAP)
			frames(j, whole->run, e->data);
		ms_json_end(j);
	}
	ms_json_end(j);
	ms_intervals_free(&intervals);
}

/* The lists of a report, or of a part of it: what was selected (NULL: all). */
static void lists(struct ms_json *j, const struct ms_summary *whole, const struct ms_summary *part,
		  const struct ms_view_options *options, bool lines,
		  const struct ms_selection *selection)
{
	const struct {
		const char *key;
		const struct ms_entries *entries;
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
		size_t n = ms_view_limit(whole, all[i].entries, options, true);

		if (all[i].wanted)
			list(j, all[i].key, whole, all[i].entries, n, all[i].about, selection);
	}
	list(j, "unattributed", whole, &part->reasons, part->reasons.at.n, about_reason, selection);
}

int ms_json_report(struct ms_summary *s, const struct ms_view_options *options, FILE *out,
		   struct ms_err *err)
{
	struct ms_json j;

	MS_TRY(ms_metric_sort(s, ms_view_list(s, options->by), options->sort, err));
	ms_view_json_begin(&j, out);
	run_object(&j, s);
	totals(&j, s);
	phases(&j, s);
	lists(&j, s, s, options, options->by == MS_BY_LINE, NULL);
	ms_json_end(&j);
	return MS_OK;
}

static void names(struct ms_json *j, const char *key, const struct ms_entries *entries,
		  const bool *chosen)
{
	ms_json_array(j, key);
	for (size_t i = 0; i < entries->at.n; i++) {
		const struct ms_entry *e = &entries->at.at[i];

		if (chosen == NULL || chosen[e->kind == MS_ENTRY_DATA ? e->data : e->code])
			ms_json_text(j, NULL, e->name);
	}
	ms_json_end(j);
}

static void per_reference(struct ms_json *j, const struct ms_counts *c)
{
	ms_json_object(j, "stall_per_reference");
	ms_view_json_share(j, "all", ms_both(c->stall), ms_both(c->references));
	ms_view_json_share(j, "read", c->stall[MS_READS], c->references[MS_READS]);
	ms_view_json_share(j, "write", c->stall[MS_WRITES], c->references[MS_WRITES]);
	ms_json_end(j);
}

/* What has intervals, and those of all that was selected. */
static void selected_intervals(struct ms_json *j, const struct ms_detail *d)
{
	const struct ms_selection selection = { d->code, d->data };
	struct ms_intervals intervals;

	ms_intervals_by(&intervals, &d->whole, MS_ENTRY_TOTAL, &selection);
	ms_intervals_split(&intervals, &d->whole, MS_ENTRY_TOTAL, &selection);
	const struct ms_entry_intervals *own = ms_intervals_at(&intervals, 0);
	replaced_by(j, d->part.run, d->replaced_by.at, d->replaced_by.n, &d->part.total.counts,
		    own);
	invalidated_by(j, d);
	ms_view_json_intervals(j, d->part.run, &d->part.total.counts, own);
	ms_intervals_free(&intervals);
}

static void selected(struct ms_json *j, const struct ms_detail *d)
{
	const struct ms_counts *part = &d->part.total.counts, *whole = &d->whole.total.counts;
	const struct ms_run *run = d->part.run;

	ms_json_object(j, "selected");
	names(j, "code", &d->part.code, d->code);
	names(j, "data", &d->part.data, d->data);
	if (ms_hardware_run(run)) {
		if (d->data == NULL) /* data does not compute */
			ms_view_json_compute(j, run, part);
		ms_view_json_samples(j, &d->whole, part);
		ms_view_json_answers(j, run, d->code, d->data);
		ms_json_end(j);
		return;
	}
	ms_json_u64(j, "elapsed_compute_cycles", d->elapsed_compute);
	ms_json_u64(j, "elapsed_stall_cycles", d->elapsed_stall);
	ms_view_json_counts(j, &d->whole, part);
	ms_view_json_read_write(j, "stall", part->stall);
	bool known = ms_knows_references(run, part);
	if (known) {
		per_reference(j, part);
		ms_view_json_share(j, "reference_share", ms_both(part->references),
				   ms_both(whole->references));
	}
	ms_json_array(j, "miss_shares");
	for (size_t i = 0; i < run->levels.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "name", run->levels.at[i].name);
		ms_view_json_share(j, "miss_share", ms_both(part->levels[i].misses),
				   ms_both(whole->levels[i].misses));
		if (known)
			ms_view_json_share(j, "miss_rate", ms_both(part->levels[i].misses),
					   ms_both(part->references));
		ms_json_end(j);
	}
	ms_json_end(j);
	selected_intervals(j, d);
	ms_json_end(j);
}

int ms_json_show(struct ms_detail *d, const struct ms_view_options *options, FILE *out,
		 struct ms_err *err)
{
	struct ms_json j;

	MS_TRY(ms_metric_sort(&d->whole, ms_view_list(&d->part, options->by), options->sort, err));
	ms_view_json_begin(&j, out);
	run_object(&j, &d->whole);
	totals(&j, &d->whole);
	selected(&j, d);
	lists(&j, &d->whole, &d->part, options, true, &(struct ms_selection){ d->code, d->data });
	ms_json_end(&j);
	return MS_OK;
}
