#include "analysis/measured/measured.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "run/enum_words.h"

static const char *const names[MS_RUN_SOURCES] = {
	[MS_RUN_PEBS] = "Intel PEBS", [MS_RUN_IBS] = "AMD IBS",        [MS_RUN_SPE] = "Arm SPE",
	[MS_RUN_TIMER] = "timer",     [MS_RUN_FAULTS] = "page faults",
};

const char *ms_measured_source_name(uint32_t source)
{
	return source < MS_RUN_SOURCES ? names[source] : "unknown";
}

const char *ms_measured_quantity(const struct ms_run *run)
{
	switch (run->hardware.at[0].unit) {
	case MS_RUN_CYCLES:
		return "latency";
	case MS_RUN_NANOSECONDS:
		return "memory stall time";
	default:
		return "page faults";
	}
}

bool ms_measured_has_latency(const struct ms_run *run)
{
	return run->hardware.at[0].unit == MS_RUN_CYCLES;
}

bool ms_measured_is_complete(const struct ms_run *run)
{
	const struct ms_run_hardware *h = &run->hardware.at[0];

	for (size_t i = 0; i < run->hardware_losses.n; i++)
		if (strcmp(run->hardware_losses.at[i].reason, MS_LOST_IN_KERNEL) == 0)
			return false;
	return h->source == MS_RUN_FAULTS && h->period <= 1 && h->throttled == 0;
}

static bool is_page_fault(const struct ms_run *run, uint32_t cell)
{
	const struct ms_run_line *line =
		&run->lines.at[run->sites.at[run->cells.at[cell].site].line];

	return strcmp(run->codes.at[line->code].name, "<page faults>") == 0;
}

uint64_t ms_measured_page_fault_time(const struct ms_run *run)
{
	uint64_t time = 0;

	if (run->hardware.at[0].unit != MS_RUN_NANOSECONDS)
		return 0;
	for (size_t i = 0; i < run->hardware_samples.n; i++)
		if (is_page_fault(run, run->hardware_samples.at[i].cell))
			time += run->hardware_samples.at[i].latency;
	return time;
}

double ms_measured_inferred_share(const struct ms_run *run)
{
	uint64_t inferred = 0, all = 0;

	for (size_t i = 0; i < run->hardware_samples.n; i++) {
		const struct ms_run_hardware_sample *s = &run->hardware_samples.at[i];

		all += s->samples;
		inferred += s->sureness == MS_SURE_ALIKE ? s->samples : 0;
	}
	return all > 0 ? (double)inferred / (double)all : 0;
}

uint64_t ms_measured_lost_samples(const struct ms_run *run)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < run->hardware_losses.n; i++)
		sum += run->hardware_losses.at[i].samples;
	return sum;
}

/* --- intervals --- */

struct ms_measured_share ms_measured_wilson_interval(double share, double n)
{
	const double z = 1.959964;

	if (!(n > 0))
		return (struct ms_measured_share){ share, NAN, NAN };
	double scale = 1 + z * z / n;
	double middle = (share + z * z / (2 * n)) / scale;
	double half = z / scale * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
	double low = middle - half, high = middle + half;

	/* Rounding must not leave the share outside. */
	return (struct ms_measured_share){ share, fmin(fmax(low, 0), share),
					   fmax(fmin(high, 1), share) };
}

/* What a share is made of: each sample's part of the sum, and its square. */
struct sample_weight {
	double sum, squares;
};

static struct sample_weight weigh(const struct ms_summary_counts *c, bool stalls)
{
	if (stalls)
		return (struct sample_weight){ (double)c->samples.latency,
					       c->samples.latency_squares };
	return (struct sample_weight){ (double)ms_summary_rw_sum(c->references),
				       c->samples.events_squares };
}

static struct ms_measured_share interval(struct sample_weight own, struct sample_weight all)
{
	double share = all.sum > 0 ? own.sum / all.sum : NAN;

	if (!(all.squares > 0))
		return (struct ms_measured_share){ share, share, share };
	/* The variance of a ratio of sums; so many samples of one weight would have the same. */
	double rest = fmax(all.squares - own.squares, 0);
	double variance = ((1 - share) * (1 - share) * own.squares + share * share * rest) /
			  (all.sum * all.sum);
	double n = variance > 0 && share < 1 ? share * (1 - share) / variance
					     : all.sum * all.sum / all.squares;
	return ms_measured_wilson_interval(share, n);
}

static struct ms_measured_share interval_of(const struct ms_summary *whole,
					    const struct ms_summary_counts *part, bool stalls)
{
	struct sample_weight all = weigh(&whole->total.counts, stalls);

	if (ms_measured_is_complete(whole->run))
		all.squares = 0;
	return interval(weigh(part, stalls), all);
}

struct ms_measured_share ms_measured_stall_share(const struct ms_summary *whole,
						 const struct ms_summary_counts *part)
{
	return interval_of(whole, part, ms_summary_rw_sum(whole->total.counts.stall) > 0);
}

struct ms_measured_share ms_measured_event_share(const struct ms_summary *whole,
						 const struct ms_summary_counts *part)
{
	return interval_of(whole, part, false);
}

/* --- time of joined runs --- */

static struct sample_weight add_weight(struct sample_weight a, struct sample_weight b)
{
	return (struct sample_weight){ a.sum + b.sum, a.squares + b.squares };
}

struct ms_measured_time ms_measured_time_of(struct ms_measured_sum part, struct ms_measured_sum all)
{
	const struct sample_weight own = { part.ns, part.squares }, whole = { all.ns, all.squares };
	struct ms_measured_share i = interval(own, whole);

	return (struct ms_measured_time){ part.ns, i.low * all.ns, i.high * all.ns };
}

static struct ms_measured_sum time_of_all(const struct ms_summary *whole)
{
	const struct ms_summary_samples *s = &whole->total.counts.samples;

	return (struct ms_measured_sum){ (double)s->latency + (double)s->compute,
					 s->latency_squares + s->compute_squares };
}

struct ms_measured_time ms_measured_stall_time(const struct ms_summary *whole,
					       const struct ms_summary_counts *part)
{
	return ms_measured_time_of((struct ms_measured_sum){ (double)part->samples.latency,
							     part->samples.latency_squares },
				   time_of_all(whole));
}

struct ms_measured_time ms_measured_compute_time(const struct ms_summary *whole,
						 const struct ms_summary_counts *part)
{
	return ms_measured_time_of((struct ms_measured_sum){ (double)part->samples.compute,
							     part->samples.compute_squares },
				   time_of_all(whole));
}

/* Shares below this are not judged: they hardly matter, and have few samples. */
static const double JUDGED_ABOVE = 0.01;
/* How far the simulated share may be off because of the timing model alone. */
static const double MODEL_ERROR = 1.5;

struct ms_measured_comparison ms_measured_compare(const struct ms_summary *whole,
						  const struct ms_summary_counts *part)
{
	struct ms_measured_comparison c = { .share = ms_measured_stall_share(whole, part) };
	double all = (double)ms_summary_rw_sum(whole->total.counts.estimated.stall);

	c.estimated = all > 0 ? (double)ms_summary_rw_sum(part->estimated.stall) / all : 0;
	if (!isfinite(c.share.share) || fmax(c.share.share, c.estimated) < JUDGED_ABOVE)
		return c;
	c.verdict = c.estimated * MODEL_ERROR < c.share.low    ? MS_MEASURED_MORE
		    : c.estimated > c.share.high * MODEL_ERROR ? MS_MEASURED_LESS
							       : MS_MEASURED_AGREES;
	return c;
}

const char *ms_measured_verdict_word(enum ms_measured_verdict verdict)
{
	static const char *const words[] = { [MS_MEASURED_AGREES] = NULL,
					     [MS_MEASURED_MORE] = "more",
					     [MS_MEASURED_LESS] = "less" };

	return words[verdict];
}

/* --- what is known beside --- */

/* By answer; MS_ANSWERS: all of them. */
struct sample_weights {
	struct sample_weight events[MS_ANSWERS + 1];
	struct sample_weight latency[MS_ANSWERS + 1];
};

static void add_sample(struct sample_weights *w, const struct ms_run_hardware_sample *s)
{
	const struct sample_weight events = { (double)s->events, s->events_squares };
	const struct sample_weight latency = { (double)s->latency, s->latency_squares };
	const uint32_t both[] = { s->answer, MS_ANSWERS };

	for (int i = 0; i < 2; i++) {
		w->events[both[i]] = add_weight(w->events[both[i]], events);
		w->latency[both[i]] = add_weight(w->latency[both[i]], latency);
	}
}

static struct sample_weight compute_weight(const struct ms_run *run, const bool *code)
{
	struct sample_weight sum = { 0, 0 };

	for (size_t i = 0; i < run->hardware_computes.n; i++) {
		const struct ms_run_hardware_compute *c = &run->hardware_computes.at[i];

		if (code == NULL || code[run->lines.at[c->line].code])
			sum = add_weight(
				sum, (struct sample_weight){ (double)c->time, c->time_squares });
	}
	return sum;
}

static void find_shares(struct ms_measured_detail *detail, const struct sample_weights *w,
			struct sample_weight compute)
{
	struct sample_weight stall = w->latency[MS_ANSWERS];

	for (int i = 0; i < MS_ANSWERS; i++) {
		detail->answer_shares[i] = interval(w->events[i], w->events[MS_ANSWERS]);
		detail->answer_latency_shares[i] = interval(w->latency[i], stall);
	}
	detail->stall_share = interval(stall, add_weight(stall, compute));
}

void ms_measured_detail_make(struct ms_measured_detail *detail, const struct ms_run *run,
			     const bool *code, const bool *data)
{
	struct sample_weights weights = { 0 };

	memset(detail, 0, sizeof(*detail));
	for (size_t i = 0; i < run->hardware_samples.n; i++) {
		const struct ms_run_hardware_sample *s = &run->hardware_samples.at[i];

		if (!ms_summary_cell_is_selected(run, s->cell, code, data))
			continue;
		detail->answers[s->answer] += s->events;
		detail->answer_latency[s->answer] += s->latency;
		detail->sureness[s->sureness] += s->samples;
		detail->samples += s->samples;
		add_sample(&weights, s);
	}
	find_shares(detail, &weights, compute_weight(run, code));
	for (size_t i = 0; i < run->hardware_latencies.n; i++) {
		const struct ms_run_hardware_latency *l = &run->hardware_latencies.at[i];

		if (ms_summary_cell_is_selected(run, l->cell, code, data))
			detail->buckets[l->bucket] += l->samples;
	}
}

double ms_measured_median_latency(const struct ms_measured_detail *detail)
{
	double all = 0, below = 0;

	for (int i = 0; i < MS_RUN_BUCKETS; i++)
		all += (double)detail->buckets[i];
	for (int i = 0; i < MS_RUN_BUCKETS && all > 0; i++) {
		double here = (double)detail->buckets[i];

		if (here > 0 && below + here >= all / 2) {
			double low = i > 0 ? ldexp(1, i) : 0;

			return low + (ldexp(1, i + 1) - low) * (all / 2 - below) / here;
		}
		below += here;
	}
	return 0;
}

int ms_measured_refuse(const struct ms_run *run, const char *what, struct ms_err *err)
{
	if (!ms_run_is_measured(run))
		return MS_OK;
	return ms_fail(err, MS_EUSAGE,
		       "run @%" PRId64
		       " was sampled on the real machine (%s), which records no %s; "
		       "`memspy run` simulates them",
		       run->id, ms_run_source_word(run->hardware.at[0].source), what);
}

uint64_t ms_measured_phase(const struct ms_run *run, size_t phase, enum ms_run_phase_figure figure)
{
	size_t at = phase * MS_PHASE_FIGURES + figure;

	return at < run->phase_misses.n ? run->phase_misses.at[at].misses : 0;
}
