#include "analysis/confidence_intervals/phases.h"

#include <math.h>

#include "analysis/confidence_intervals/design_effect.h"
#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "base/num.h"

static const struct ms_intervals_bounds unknown = { NAN, NAN };

/* References from the start of one window to that of the next, on average. Where the first ones are
 * shorter, as many as most of the later ones have. */
static double distance(const struct ms_run_sampling *s)
{
	double mean = (double)ms_intervals_mean_window(s), most = (double)s->window;

	if (mean < 0.9 * most)
		mean = 2 * mean < most ? 2 * mean : most;
	return s->scale * mean;
}

/* From the number of a phase's references to the ends of its interval. */
static double references_off(const struct ms_run_sampling *s, const struct ms_run_phase *phase)
{
	static const double length = 1.0 / 12, edge = 0.25;
	double stretch = distance(s), times = phase->times > 0 ? (double)phase->times : 1;
	/* A part that no window contains may be as long as a stretch. */
	double references = (double)phase->references + stretch;
	double edges = 2 * times, windows = (double)s->windows;

	/* Phases that are shorter than that meet the fewer windows. */
	if (references < times * stretch)
		edges = 4 * references / stretch;
	edges = edges < windows ? edges : windows;
	return MS_NORMAL_95 * stretch * sqrt(edge * edges + length * references / stretch);
}

/* Bounds of the scale of a phase's windows, as a multiple of the scale of all windows. */
static struct ms_intervals_bounds scales(const struct ms_run *run)
{
	struct ms_intervals_bounds b = { 1, 1 };

	for (size_t i = 1; i < run->samplings.n; i++) {
		double own = run->samplings.at[i].scale / run->samplings.at[0].scale;

		b.low = own < b.low ? own : b.low;
		b.high = own > b.high ? own : b.high;
	}
	return b;
}

static struct ms_intervals_bounds of_references(const struct ms_summary *whole, size_t phase)
{
	const struct ms_run *run = whole->run;
	const struct ms_run_sampling *s = &run->samplings.at[0];
	double n = (double)run->phases.at[phase].references;
	double off = references_off(s, &run->phases.at[phase]);
	struct ms_intervals_bounds times = scales(run), all = { 1, 1 };
	double most = (double)ms_summary_rw_sum(whole->total.counts.references);

	if (s->total_low < s->total_high && s->total > 0)
		all = (struct ms_intervals_bounds){ s->total_low / s->total,
						    s->total_high / s->total };
	double low = n * times.low - off, high = n * times.high + off;

	high = high < most ? high : most;
	return (struct ms_intervals_bounds){ low > 0 ? all.low * low : 0,
					     all.high * (high > n ? high : n) };
}

/* Those of all phases together are not corrected as the run's are, and may be more. */
static struct ms_intervals_bounds of_misses(const struct ms_run *run,
					    const struct ms_run_phase_miss *m, double all,
					    struct ms_intervals_bounds within,
					    const struct ms_intervals_bounds *references)
{
	double n = (double)m->misses, made = (double)run->phases.at[m->phase].references;
	struct ms_intervals_bounds b = unknown;

	if (isnan(within.low) || isnan(within.high) || !(made > 0))
		return unknown;
	within.low = within.low < all ? within.low : all;
	within.high = within.high > all ? within.high : all;
	b = ms_intervals_effect_part(n, all, within, ms_intervals_effect_scale(run));
	b.low -= n * (made - references->low) / made;
	b.high += n * (references->high - made) / made;
	return (struct ms_intervals_bounds){ b.low < 0 ? 0 : b.low, b.high };
}

struct ms_intervals_phase *ms_intervals_of_phases(const struct ms_summary *whole,
						  struct ms_arena *arena)
{
	const struct ms_run *run = whole->run;
	size_t levels = run->levels.n;

	if (run->samplings.n == 0 || run->phases.n == 0)
		return NULL;
	struct ms_intervals_phase *w = ms_arena_take(arena, run->phases.n * sizeof(*w));
	double *all = ms_arena_take(arena, (levels + 1) * sizeof(*all));
	bool is_known = run->samplings.at[0].sets == 1 && run->samplings.at[0].windows > 1;
	struct ms_intervals total;

	ms_intervals_by_kind(&total, whole, MS_ENTRY_TOTAL, NULL);
	const struct ms_intervals_entry *own = ms_intervals_at(&total, 0);
	for (size_t i = 0; i < run->phase_misses.n; i++)
		all[run->phase_misses.at[i].level] += (double)run->phase_misses.at[i].misses;
	for (size_t i = 0; i < run->phases.n; i++) {
		w[i].references = is_known ? of_references(whole, i) : unknown;
		w[i].misses = ms_arena_take(arena, (levels + 1) * sizeof(*w[i].misses));
		for (size_t l = 0; l < levels; l++)
			w[i].misses[l] = unknown;
	}
	for (size_t i = 0; i < run->phase_misses.n && own != NULL && is_known; i++) {
		const struct ms_run_phase_miss *m = &run->phase_misses.at[i];

		w[m->phase].misses[m->level] =
			of_misses(run, m, all[m->level], own->levels[m->level].extreme,
				  &w[m->phase].references);
	}
	ms_intervals_free(&total);
	return w;
}
