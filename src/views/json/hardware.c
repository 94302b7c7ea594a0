/* views/json/hardware.c - what JSON says of runs sampled on the real machine. */
#include "analysis/measured/measured.h"

#include <math.h>

#include "base/json.h"
#include "run/enum_words.h"
#include "views/json/parts.h"

/* Of the sources of the real machine only the timer measures it, as time. */
void ms_views_json_compute(struct ms_json *j, const struct ms_run *run,
			   const struct ms_summary_counts *c)
{
	if (!ms_run_is_measured(run))
		ms_json_u64(j, "compute_cycles", c->compute);
	if (ms_run_has_measured_time(run))
		ms_json_u64(j, "compute_ns", c->samples.compute);
	else if (!ms_run_is_measured(run))
		return;
	else if (run->hardware.at[0].unit == MS_RUN_NANOSECONDS)
		ms_json_u64(j, "compute_ns", c->compute);
}

static void losses(struct ms_json *j, const struct ms_run *run)
{
	ms_json_array(j, "lost");
	for (size_t i = 0; i < run->hardware_losses.n; i++) {
		ms_json_object(j, NULL);
		ms_json_text(j, "reason", run->hardware_losses.at[i].reason);
		ms_json_u64(j, "samples", run->hardware_losses.at[i].samples);
		ms_json_end(j);
	}
	ms_json_end(j);
}

void ms_views_json_hardware(struct ms_json *j, const struct ms_run *run)
{
	if (!ms_run_is_measured(run))
		return;
	const struct ms_run_hardware *h = &run->hardware.at[0];
	ms_json_object(j, "hardware");
	ms_json_text(j, "source", ms_run_source_word(h->source));
	ms_json_text(j, "event", h->event);
	ms_json_text(j, "unit", ms_run_unit_word(h->unit));
	ms_json_real(j, "period", h->period);
	if (h->adaptive)
		ms_json_real(j, "wish", h->wish);
	else
		ms_json_null(j, "wish");
	if (h->overhead >= 0)
		ms_json_real(j, "overhead", h->overhead);
	else
		ms_json_null(j, "overhead");
	ms_json_u64(j, "samples", h->samples);
	ms_json_u64(j, "throttled", h->throttled);
	ms_json_u64(j, "cpu_ns", h->cpu_ns);
	ms_json_u64(j, "threads", h->threads);
	ms_json_u64(j, "page_fault_ns", ms_measured_page_fault_time(run));
	ms_json_real(j, "inferred", ms_measured_inferred_share(run));
	losses(j, run);
	ms_json_end(j);
}

static void origin(struct ms_json *j, const char *key, const struct ms_run *run, uint32_t part)
{
	if (run->origins.n != MS_RUN_ORIGIN_PARTS) { /* both are of this run */
		ms_json_null(j, key);
		return;
	}
	ms_json_object(j, key);
	ms_json_text(j, "uid", run->origins.at[part].uid);
	ms_json_text(j, "tag", run->origins.at[part].tag);
	ms_json_text(j, "started", run->origins.at[part].started);
	ms_json_end(j);
}

void ms_views_json_joined(struct ms_json *j, const struct ms_run *run)
{
	if (!ms_run_is_joined(run))
		return;
	const struct ms_run_hardware *h = &run->hardware.at[0];
	ms_json_object(j, "joined");
	ms_json_text(j, "source", ms_run_source_word(h->source));
	ms_json_u64(j, "samples", h->samples);
	ms_json_real(j, "period", h->period);
	if (h->overhead >= 0)
		ms_json_real(j, "overhead", h->overhead);
	else
		ms_json_null(j, "overhead");
	ms_json_u64(j, "cpu_ns", h->cpu_ns);
	ms_json_real(j, "covered", h->covered);
	losses(j, run);
	origin(j, "simulated", run, MS_RUN_SIMULATED_PART);
	origin(j, "measured", run, MS_RUN_MEASURED_PART);
	ms_json_end(j);
}

/* NaN: there is no sample. */
static void real_or_null(struct ms_json *j, const char *key, double value)
{
	if (isfinite(value))
		ms_json_real(j, key, value);
	else
		ms_json_null(j, key);
}

void ms_views_json_measured(struct ms_json *j, const struct ms_summary *whole,
			    const struct ms_summary_counts *c)
{
	if (!whole->cost.measured)
		return;
	struct ms_measured_time time = ms_measured_stall_time(whole, c);
	struct ms_measured_comparison compared = ms_measured_compare(whole, c);

	ms_json_object(j, "measured");
	ms_json_u64(j, "ns", c->samples.latency);
	real_or_null(j, "low", time.low);
	real_or_null(j, "high", time.high);
	real_or_null(j, "share_low", compared.share.low);
	real_or_null(j, "share_high", compared.share.high);
	ms_json_u64(j, "samples", c->samples.n);
	ms_json_end(j);
	ms_json_object(j, "estimated");
	ms_json_u64(j, "stall_cycles", ms_summary_rw_sum(c->estimated.stall));
	ms_json_real(j, "stall_share", compared.estimated);
	ms_json_end(j);
	ms_json_bool(j, "disagrees", compared.verdict != MS_MEASURED_AGREES);
}

enum of { OF_ALL, OF_EVENTS, OF_LATENCY, OF_TIME, OF_KINDS };

static void interval(struct ms_json *j, enum of of, struct ms_measured_share i)
{
	static const char *const names[OF_KINDS][3] = {
		[OF_ALL] = { "share", "share_low", "share_high" },
		[OF_EVENTS] = { "event_share", "event_share_low", "event_share_high" },
		[OF_LATENCY] = { "latency_share", "latency_share_low", "latency_share_high" },
		[OF_TIME] = { "stall_of_time", "stall_of_time_low", "stall_of_time_high" },
	};
	const double ends[] = { i.share, i.low, i.high };
	const char *const *keys = names[of];

	for (size_t k = 0; k < MS_COUNT(ends); k++) {
		if (isfinite(ends[k]))
			ms_json_real(j, keys[k], ends[k]);
		else
			ms_json_null(j, keys[k]);
	}
}

void ms_views_json_samples(struct ms_json *j, const struct ms_summary *whole,
			   const struct ms_summary_counts *c)
{
	uint32_t unit = whole->run->hardware.at[0].unit;

	ms_json_u64(j, "samples", c->samples.n);
	interval(j, OF_ALL, ms_measured_stall_share(whole, c));
	if (unit == MS_RUN_NANOSECONDS) {
		ms_json_u64(j, "stall_ns", ms_summary_rw_sum(c->stall));
		return;
	}
	ms_json_u64(j, "events", ms_summary_rw_sum(c->references));
	interval(j, OF_EVENTS, ms_measured_event_share(whole, c));
	if (unit != MS_RUN_CYCLES)
		return;
	ms_json_u64(j, "latency", ms_summary_rw_sum(c->stall));
	ms_views_json_share(j, "latency_per_event", ms_summary_rw_sum(c->stall),
			    ms_summary_rw_sum(c->references));
}

static void answers(struct ms_json *j, const struct ms_measured_detail *d)
{
	ms_json_array(j, "answers");
	for (uint32_t i = 0; i < MS_ANSWERS; i++) {
		if (d->answers[i] == 0)
			continue;
		ms_json_object(j, NULL);
		ms_json_text(j, "answer", ms_run_answer_word(i));
		ms_json_u64(j, "events", d->answers[i]);
		interval(j, OF_EVENTS, d->answer_shares[i]);
		ms_json_u64(j, "latency", d->answer_latency[i]);
		interval(j, OF_LATENCY, d->answer_latency_shares[i]);
		ms_json_end(j);
	}
	ms_json_end(j);
}

static void histogram(struct ms_json *j, const struct ms_measured_detail *d)
{
	ms_json_array(j, "histogram");
	for (int i = 0; i < MS_RUN_BUCKETS; i++) {
		if (d->buckets[i] == 0)
			continue;
		ms_json_object(j, NULL);
		ms_json_u64(j, "from", i > 0 ? UINT64_C(1) << i : 0);
		ms_json_u64(j, "samples", d->buckets[i]);
		ms_json_end(j);
	}
	ms_json_end(j);
}

void ms_views_json_answers(struct ms_json *j, const struct ms_run *run, const bool *code,
			   const bool *data)
{
	struct ms_measured_detail d;

	ms_measured_detail_make(&d, run, code, data);
	if (ms_measured_has_latency(run)) {
		answers(j, &d);
		histogram(j, &d);
	}
	if (run->hardware.at[0].unit == MS_RUN_NANOSECONDS && data == NULL)
		interval(j, OF_TIME, d.stall_share);
	ms_json_object(j, "sureness");
	for (uint32_t i = 0; i < MS_SURENESSES; i++)
		ms_json_u64(j, ms_run_sureness_word(i), d.sureness[i]);
	ms_json_end(j);
}

void ms_views_json_phase(struct ms_json *j, const struct ms_run *run, size_t phase)
{
	static const char *const keys[] = { [MS_RUN_NO_UNIT] = "events",
					    [MS_RUN_CYCLES] = "latency",
					    [MS_RUN_NANOSECONDS] = "stall_ns" };
	uint32_t unit = run->hardware.at[0].unit;

	ms_json_u64(j, "samples", run->phases.at[phase].references);
	ms_json_u64(j, keys[unit], ms_measured_phase(run, phase, MS_PHASE_LATENCY));
	if (unit == MS_RUN_NANOSECONDS)
		ms_json_u64(j, "compute_ns", ms_measured_phase(run, phase, MS_PHASE_COMPUTE));
}
