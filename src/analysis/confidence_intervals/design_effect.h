/*
 * analysis/confidence_intervals/design_effect.h - intervals for subsets of the misses of a sampled
 * run for which windows have stored no parts.
 *
 * They use a design effect, as surveys do. Misses are clustered, so the interval of an entry's
 * misses, which is computed from windows, is wider than for misses that are drawn independently. A
 * subset is assumed to be as clustered as all misses of the entry. Then its variance is
 * proportional to its size, and the distance to either end of the interval to the square root of
 * it. The variance is at least that of independent misses.
 */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_DESIGN_EFFECT_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_DESIGN_EFFECT_H

#include "analysis/confidence_intervals/intervals.h"

/* The interval of a figure that is derived from another one, measured in windows only, is this much
 * wider (docs/design/sampling.md). */
#define MS_EFFECT_WIDER 1.25
/* Fewer simulated events have no interval. */
enum { MS_EFFECT_EVENTS = 10 };

/*
 * The interval of `part` of an entry's `whole` misses, whose interval is `within`. All are numbers
 * for the whole program; a simulated event counts `scale` times. NaN: not known.
 */
struct ms_intervals_bounds ms_intervals_effect_part(double part, double whole,
						    struct ms_intervals_bounds within,
						    double scale);

/* n of a level's misses for which windows have no parts: as clustered as all misses. */
struct ms_intervals_bounds ms_intervals_effect_misses(const struct ms_run *run,
						      const struct ms_summary_level_counts *counts,
						      const struct ms_intervals_level *within,
						      uint64_t n);
/* Of the invalidation misses of a level: those by false sharing, or those by true sharing. */
struct ms_intervals_bounds
ms_intervals_effect_invalidated(const struct ms_run *run,
				const struct ms_summary_level_counts *counts,
				const struct ms_intervals_level *within, bool falsely);
/*
 * The upgrades of an entry: writes that hit, but invalidate the line in other caches. Those hold
 * the line because their processors have read it, after such writes had invalidated it. So upgrades
 * are assumed to be as clustered as invalidation misses of the first level. The upper bound
 * includes every reference for which it is not known whether its line was invalidated. The threads
 * may have done something else during a window.
 */
struct ms_intervals_bounds ms_intervals_effect_upgrades(const struct ms_run *run,
							const struct ms_summary_counts *counts,
							const struct ms_intervals_entry *own);
/*
 * Evictions of a level, extrapolated to the whole program, whose victims were brought in before the
 * window: as many lines as the level has. Other lines may have replaced these between windows.
 */
double ms_intervals_effect_stale(const struct ms_run *run, uint32_t level);
/* The interval of `part` of `all` evictions by one data, of which `stale` have a stale victim. */
struct ms_intervals_bounds ms_intervals_effect_blur(struct ms_intervals_bounds bounds, double part,
						    double all, double stale);

/* The weight of a simulated event of a sampled run. */
double ms_intervals_effect_scale(const struct ms_run *run);

/* Whether this is the data that represents accesses between windows. */
bool ms_intervals_is_unknown_evictor(const struct ms_run *run, uint32_t data);
/*
 * The replacement misses of an entry at a level whose evictor is the data of `one`. Lines that were
 * evicted between windows have an unknown evictor (not_seen); all of them may have this one. The
 * unknown evictor itself has no interval. NULL intervals: NaN.
 */
struct ms_intervals_bounds ms_intervals_effect_evictor(const struct ms_run *run,
						       const struct ms_intervals_entry *intervals,
						       const struct ms_summary_counts *counts,
						       const struct ms_summary_evictor *one,
						       uint64_t not_seen);
/* The number of misses with an unknown evictor at a level. */
uint64_t ms_intervals_unknown_evictions(const struct ms_run *run,
					const struct ms_summary_evictor *all, size_t n,
					uint32_t level);

#endif
