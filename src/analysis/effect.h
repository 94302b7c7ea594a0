/*
 * analysis/effect.h - how far the number of some of the misses of a sampled run may be off, of
 * which windows have kept no parts.
 *
 * As surveys do it, with a design effect: misses come in bunches, so that the interval of an
 * entry's misses, which was made of windows, is wider than it would be if each miss had been drawn
 * by itself. Some of these misses are taken to be as bunched as all are. Their variance then is in
 * proportion to their number, and the distance to either end of the interval to the root of it; yet
 * never less than that of misses that were drawn one by one.
 */
#ifndef MS_ANALYSIS_EFFECT_H
#define MS_ANALYSIS_EFFECT_H

#include "analysis/intervals.h"

/* What is not measured itself but taken to be as something else, which was seen in windows only, is
 * this much wider (docs/design/sampling.md). */
#define MS_EFFECT_WIDER 1.25
/* Fewer events than these that windows have seen have no interval. */
enum { MS_EFFECT_EVENTS = 10 };

/*
 * The interval of `part` of an entry's `whole` misses, whose interval is within; all are numbers
 * for the whole program, in which what was seen counts `scale` times. NaN where nothing can be
 * said.
 */
struct ms_bounds ms_effect_part(double part, double whole, struct ms_bounds within, double scale);

/* n of a level's misses that windows did not keep apart: as bunched as all are. */
struct ms_bounds ms_effect_misses(const struct ms_run *run, const struct ms_level_counts *counts,
				  const struct ms_level_intervals *within, uint64_t n);
/* Of its misses on lines that others had taken away those that share falsely, or the others. */
struct ms_bounds ms_effect_taken(const struct ms_run *run, const struct ms_level_counts *counts,
				 const struct ms_level_intervals *within, bool falsely);
/*
 * Of an entry: writes that hit, but had to ask others to give the line up. Others have it because
 * they read it, and what they read they had lost to such writes: so upgrades are taken to be as
 * bunched as invalidation misses of the first level, and at the high end every reference of which
 * nobody knows whether its line was taken away may have been one. One window may have met the
 * threads at something else.
 */
struct ms_bounds ms_effect_upgrades(const struct ms_run *run, const struct ms_counts *counts,
				    const struct ms_entry_intervals *own);
/*
 * Evictions of a level, in numbers for the whole program, whose victims windows have not seen come
 * in: a window finds as many lines there as the level has room for. Between windows others may have
 * taken their places.
 */
double ms_effect_stale(const struct ms_run *run, uint32_t level);
/* The interval of `part` of `all` evictions by one data, of which so many have a stale victim. */
struct ms_bounds ms_effect_blur(struct ms_bounds bounds, double part, double all, double stale);

/* Of a sampled run: what an event that was seen counts. */
double ms_effect_scale(const struct ms_run *run);

/* The data that stands for what came between windows. */
bool ms_effect_is_not_seen(const struct ms_run *run, uint32_t data);
/*
 * Of an entry's replacement misses at a level, those that the data of `one` is to blame for. What
 * had been pushed out between windows, by nobody knows whom (not_seen), may all have been pushed
 * out by it; that itself has no interval. NULL intervals: NaN.
 */
struct ms_bounds ms_effect_replacer(const struct ms_run *run,
				    const struct ms_entry_intervals *intervals,
				    const struct ms_counts *counts, const struct ms_replacer *one,
				    uint64_t not_seen);
/* How many of them those are at a level. */
uint64_t ms_effect_not_seen(const struct ms_run *run, const struct ms_replacer *all, size_t n,
			    uint32_t level);

#endif
