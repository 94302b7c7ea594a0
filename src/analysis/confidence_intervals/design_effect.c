#include "analysis/confidence_intervals/design_effect.h"

#include <math.h>
#include <string.h>

#include "base/num.h"

double ms_intervals_effect_scale(const struct ms_run *run)
{
	return run->samplings.n > 0 ? run->samplings.at[0].scale : 1;
}

/* From the number of some to an end of their interval; away: that of all. */
static double distance(double part, double whole, double away, double scale)
{
	double share = part < whole ? part / whole : 1;
	double alone = MS_NORMAL_95 * sqrt(part * (scale > 1 ? scale - 1 : 0));
	double bunched = MS_EFFECT_WIDER * away * sqrt(share);

	return bunched > alone ? bunched : alone;
}

struct ms_intervals_bounds ms_intervals_effect_part(double part, double whole,
						    struct ms_intervals_bounds within, double scale)
{
	if (!(part >= MS_EFFECT_EVENTS * scale) || !(whole > 0) || isnan(within.low) ||
	    isnan(within.high))
		return (struct ms_intervals_bounds){ NAN, NAN };
	double low = part - distance(part, whole, whole - within.low, scale);
	double high = part + distance(part, whole, within.high - whole, scale);
	double most = within.high > part ? within.high : part;

	return (struct ms_intervals_bounds){ low > 0 ? low : 0, high < most ? high : most };
}

struct ms_intervals_bounds ms_intervals_effect_misses(const struct ms_run *run,
						      const struct ms_summary_level_counts *counts,
						      const struct ms_intervals_level *within,
						      uint64_t n)
{
	return ms_intervals_effect_part((double)n, (double)ms_summary_rw_sum(counts->misses),
					within->misses, ms_intervals_effect_scale(run));
}

struct ms_intervals_bounds
ms_intervals_effect_invalidated(const struct ms_run *run,
				const struct ms_summary_level_counts *counts,
				const struct ms_intervals_level *within, bool falsely)
{
	uint64_t all = counts->causes[MS_CAUSE_INVALIDATED];
	uint64_t truly = all > counts->falsely ? all - counts->falsely : 0;

	return ms_intervals_effect_part((double)(falsely ? counts->falsely : truly), (double)all,
					within->causes[MS_CAUSE_INVALIDATED],
					ms_intervals_effect_scale(run));
}

struct ms_intervals_bounds ms_intervals_effect_upgrades(const struct ms_run *run,
							const struct ms_summary_counts *counts,
							const struct ms_intervals_entry *own)
{
	if (own == NULL || run->levels.n == 0 || run->samplings.at[0].windows == 0)
		return (struct ms_intervals_bounds){ NAN, NAN };
	const struct ms_intervals_bounds *within = &own->levels[0].causes[MS_CAUSE_INVALIDATED];
	double taken = (double)counts->levels[0].causes[MS_CAUSE_INVALIDATED];
	double n = (double)counts->upgrades, times = taken > n ? 1 : n / taken;
	double window = n / (double)run->samplings.at[0].windows;

	if (!(taken > 0))
		return (struct ms_intervals_bounds){ NAN, NAN };
	/* Where there are more of them than of those misses, as if there were as many. */
	struct ms_intervals_bounds b = { times * within->low, times * within->high };
	b = ms_intervals_effect_part(n, times * taken, b, ms_intervals_effect_scale(run));
	b.low -= window;
	return (struct ms_intervals_bounds){ b.low < 0 ? 0 : b.low, b.high + window };
}

double ms_intervals_effect_stale(const struct ms_run *run, uint32_t level)
{
	const struct ms_run_sampling *s = &run->samplings.at[0];

	if (run->samplings.n == 0 || level >= run->sampled_levels.n || s->ratio >= 1)
		return 0;
	return s->scale * (double)s->windows * (double)run->sampled_levels.at[level].frames;
}

struct ms_intervals_bounds ms_intervals_effect_blur(struct ms_intervals_bounds b, double part,
						    double all, double stale)
{
	double others = all > part ? all - part : 0;

	b.low -= stale < part ? stale : part;
	b.high += stale < others ? stale : others;
	b.low = b.low < 0 ? 0 : b.low;
	return b;
}

bool ms_intervals_is_unknown_evictor(const struct ms_run *run, uint32_t data)
{
	return strcmp(run->data.at[data].name, "<not seen>") == 0;
}

uint64_t ms_intervals_unknown_evictions(const struct ms_run *run,
					const struct ms_summary_evictor *all, size_t n,
					uint32_t level)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		if (all[i].level == level && ms_intervals_is_unknown_evictor(run, all[i].data))
			sum += all[i].count;
	return sum;
}

struct ms_intervals_bounds ms_intervals_effect_evictor(const struct ms_run *run,
						       const struct ms_intervals_entry *intervals,
						       const struct ms_summary_counts *counts,
						       const struct ms_summary_evictor *one,
						       uint64_t not_seen)
{
	if (intervals == NULL || one->data == MS_NONE ||
	    ms_intervals_is_unknown_evictor(run, one->data))
		return (struct ms_intervals_bounds){ NAN, NAN };
	const struct ms_intervals_level *level = &intervals->levels[one->level];
	struct ms_intervals_bounds b = ms_intervals_effect_part(
		(double)one->count, (double)ms_summary_rw_sum(counts->levels[one->level].misses),
		level->extreme, ms_intervals_effect_scale(run));
	double most = level->causes[MS_CAUSE_REPLACED].high;

	b.high += (double)not_seen;
	if (b.high > most)
		b.high = most > (double)one->count ? most : (double)one->count;
	return b;
}
