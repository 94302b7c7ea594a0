#include "estimate/window_plan.h"

#include <math.h>

#include "base/ratio_interval.h"
#include "engine/windows/windows.h"
#include "estimate/scale.h"

enum {
	RARER = 4,           /* factor of the period when the interval is narrow enough */
	CLOSER = 4,          /* divisor of the period when it is not */
	CLOSEST = 10,        /* at last only one in this many references is in no window */
	ENOUGH_WINDOWS = 32, /* fewer do not show whether the interval is narrow enough */
	SHORTEST = 500000,   /* the shortest window that is chosen here */
	BYTE_REFERENCES = 4, /* references of a window for each byte of a cache */
	FEWEST_PERIODS = 16, /* periods before windows become longer */
};
/* Miss rates of the paper's Table 7. */
static const double high_rate = 0.05, low_rate = 0.005;
/* The error of the estimated misses of unknown references, as in
 * analysis/confidence_intervals/unknown_refs.c.
 */
static const double quantile = 1.96, share_error = 0.15;
/* The report's interval includes a few more errors, and must be as narrow as requested, too. */
static const double margin = 0.8;

/* The figures of a level so far. */
struct figure {
	double rate;    /* misses per reference, as simulated */
	double unknown; /* share of the references after the head */
	double error;   /* half the width of the interval */
};

struct so_far {
	struct figure first; /* level, of the machine with the widest interval */
	double unknown;      /* the largest of all levels */
	double total;        /* references of the program */
};

/* --- figures --- */

/* Caches are empty when the program starts: the head has no unknown references. */
static void know_head(struct ms_engine_windows_sums *s)
{
	s->known[0] += s->unknown_misses[0];
	s->unknown[0] = 0;
	s->unknown_misses[0] = 0;
}

static unsigned list_strata(const struct ms_estimate_plan_input *c,
			    const struct ms_engine_windows_sums *s, struct ms_ratio_stratum *strata,
			    double *total)
{
	unsigned n = 0;

	*total = 0;
	for (uint32_t i = 0; i <= c->windows->stratum; i++) {
		struct ms_estimate_parts parts = ms_estimate_find_parts(c->sampling, i);
		double seen = 0;

		for (uint32_t p = 0; p < parts.n; p++)
			seen += s->references[parts.first + p];
		double all = ms_estimate_total_refs(&c->windows->strata[i], c->sampling, seen);
		*total += all;
		if (seen > 0)
			strata[n++] =
				(struct ms_ratio_stratum){ s->known + parts.first,
							   s->references + parts.first, parts.n,
							   all > seen ? all / seen : 1 };
	}
	return n;
}

/* Whether the report estimates how many unknown references miss; else all may hit or miss. */
static bool is_modelled(const struct ms_estimate_plan_input *c)
{
	return c->machines[0]->processors <= 1 && c->sampling->sets.every <= 1;
}

/* Half the width of the interval: the variation between windows, and the error of the estimate for
 * unknown references, of which `missing` are estimated to miss. */
static double modelled_error(const struct ms_ratio_stratum *strata, unsigned n,
			     struct ms_engine_windows_sums *s, double unknown, double missing,
			     double references)
{
	double p = (missing + 1) / (unknown + 2);

	for (unsigned i = 0; i < MS_ENGINE_WINDOWS_PARTS; i++)
		s->known[i] += s->unknown_misses[i];
	return hypot(ms_ratio_spread(strata, n),
		     quantile * share_error * unknown * sqrt(p * (1 - p)) / references);
}

/* The same where all unknown references may hit, or miss. */
static double widest_error(const struct ms_ratio_stratum *strata, unsigned n,
			   struct ms_engine_windows_sums *s, double unknown, double references)
{
	double low = ms_ratio_spread(strata, n);

	for (unsigned p = 0; p < MS_ENGINE_WINDOWS_PARTS; p++)
		s->known[p] += s->unknown[p];
	return (unknown / references + low + ms_ratio_spread(strata, n)) / 2;
}

static struct figure figure_of(const struct ms_estimate_plan_input *c,
			       struct ms_engine_windows_sums *s, double *total)
{
	struct ms_ratio_stratum strata[MS_WIRE_STRATA_MOST];
	double references = 0, known = 0, unknown = 0, missing = 0, after_head = 0;
	unsigned n = list_strata(c, s, strata, total);

	for (unsigned i = 0; i < n; i++) {
		size_t first = (size_t)(strata[i].x - s->references);

		for (size_t p = first; p < first + strata[i].n; p++) {
			references += strata[i].scale * s->references[p];
			known += strata[i].scale * s->known[p];
			unknown += strata[i].scale * s->unknown[p];
			missing += strata[i].scale * s->unknown_misses[p];
			after_head += p > 0 ? strata[i].scale * s->references[p] : 0;
		}
	}
	double error = is_modelled(c) ? modelled_error(strata, n, s, unknown, missing, references)
				      : widest_error(strata, n, s, unknown, references);
	return (struct figure){ .rate = references > 0 ? (known + missing) / references : 0,
				.unknown = after_head > 0 ? unknown / after_head : 0,
				.error = error };
}

/* The figures over all machines and levels. */
static struct so_far look(const struct ms_estimate_plan_input *c)
{
	struct so_far so_far = { .total = 0 };

	for (size_t i = 0; i < c->machine_count; i++) {
		for (uint32_t l = 0; l < c->machines[i]->levels.n; l++) {
			struct ms_engine_windows_sums sums;

			ms_engine_windows_sum_level(c->engines[i], l, &sums);
			if (c->sampling->head != 0)
				know_head(&sums);
			struct figure f = figure_of(c, &sums, &so_far.total);
			if (l == 0 && !(f.error <= so_far.first.error && i > 0))
				so_far.first = f;
			if (f.unknown > so_far.unknown)
				so_far.unknown = f.unknown;
		}
	}
	return so_far;
}

/* --- decisions --- */

static uint64_t largest(const struct ms_estimate_plan_input *c, bool first)
{
	uint64_t most = 0;

	for (size_t i = 0; i < c->machine_count; i++)
		for (size_t l = 0; l < (first ? 1 : c->machines[i]->levels.n); l++)
			if (c->machines[i]->levels.at[l].size > most)
				most = c->machines[i]->levels.at[l].size;
	return most;
}

/* The window length for a miss rate: Table 7. */
static uint64_t usual_window(const struct ms_estimate_plan_input *c, double rate)
{
	uint64_t window = BYTE_REFERENCES * largest(c, true);

	if (window < SHORTEST)
		window = SHORTEST;
	return rate >= high_rate ? window / 2 : rate < low_rate ? window * 2 : window;
}

static uint64_t pace_of(double window, double period, uint32_t stratum)
{
	double unit = MS_WIRE_PACE_UNIT, most = 0xffffff * unit, farthest = 0xffffffff * unit;

	if (period > farthest)
		period = farthest;
	if (window > most)
		window = most;
	return ms_wire_pace((uint32_t)(window / unit), (uint32_t)(period / unit), stratum);
}

/* Whether too many references are unknown. Then longer windows simulate the same share. */
static bool should_be_longer(const struct ms_estimate_plan_input *c, const struct so_far *s,
			     double window, double period)
{
	double bearable = c->sampling->wanted;

	if (bearable < s->first.rate / 10)
		bearable = s->first.rate / 10; /* of many misses some may be unknown */
	return c->sampling->head != 0 &&
	       (s->unknown > bearable || window < (double)usual_window(c, s->first.rate)) &&
	       2 * window <= (double)(BYTE_REFERENCES * largest(c, false)) &&
	       2 * period * FEWEST_PERIODS <= s->total;
}

/* Strata: the head if there is one; windows at the usual density; rarer or denser ones, as decided
 * after these; and those decided after the changed ones. */
enum { USUAL, CHANGED, LAST };

static double closest(double window)
{
	return window * CLOSEST / (CLOSEST - 1);
}

static double closer(const struct ms_estimate_plan_input *c, double window)
{
	return fmax(window / c->sampling->ratio / CLOSER, closest(window));
}

/* Windows have become rarer or denser: decides whether they stay so. */
static uint64_t decide_last(const struct ms_estimate_plan_input *c, double window, double period,
			    bool good, uint32_t head)
{
	double usual = window / c->sampling->ratio;
	bool rare = period > usual;

	if (good && rare)
		return pace_of(window, period, head + CHANGED);
	return pace_of(window,
		       good   ? usual
		       : rare ? closer(c, window)
			      : closest(window),
		       head + LAST);
}

static uint64_t decide(const struct ms_estimate_plan_input *c, const struct so_far *s)
{
	uint32_t head = c->sampling->head != 0, now = USUAL;
	double window = (double)c->sampling->window, period = window / c->sampling->ratio;
	bool enough = c->windows->closed - head >= ENOUGH_WINDOWS;
	bool good = s->first.error <= margin * c->sampling->wanted && enough;

	if (c->now != 0) {
		window = (double)ms_wire_pace_window(c->now);
		period = (double)ms_wire_pace_period(c->now);
		now = ms_wire_pace_stratum(c->now) - head;
	} else if (head) {
		/* Short enough that there are some even if the program ends soon. */
		window = fmin((double)usual_window(c, s->first.rate),
			      s->total * c->sampling->ratio / FEWEST_PERIODS);
		return pace_of(window, window / c->sampling->ratio, head);
	}
	if (now == USUAL && good)
		return pace_of(window, period * RARER, head + CHANGED);
	if (now == CHANGED)
		return decide_last(c, window, period, good, head);
	if (now == USUAL && should_be_longer(c, s, window, period))
		return pace_of(2 * window, 2 * period, head);
	if (now == USUAL && enough)
		return pace_of(window, closer(c, window), head + CHANGED);
	return pace_of(window, period, head + now);
}

uint64_t ms_estimate_plan_windows(const struct ms_estimate_plan_input *input)
{
	struct so_far so_far = look(input);

	return decide(input, &so_far);
}
