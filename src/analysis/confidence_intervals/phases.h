/*
 * analysis/confidence_intervals/phases.h - intervals of the figures of a program's phases in a
 * sampled run.
 *
 * Windows keep no parts of phases. But how windows are drawn is known: one in each stretch of the
 * program as long as their mean distance, anywhere in it, half to one and a half times as long as
 * the mean. Of a stretch that lies in a phase as a whole only that length varies, by a twelfth of
 * its square; one in which a phase begins or ends has its window inside of it or outside, by a
 * quarter at most, as each phase has at most two of them each time. That is the variance of its
 * references.
 *
 * Misses of a phase are some of all, as bunched as these (design_effect.h), and vary with its
 * references.
 *
 * Where windows were drawn more densely at some time (strata), phases are multiplied by the scale
 * of all together: theirs may have been any of the strata's. Where only some sets were seen, how
 * many references a phase makes to others is not known, and there is no interval.
 */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_PHASES_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_PHASES_H

#include "analysis/confidence_intervals/intervals.h"

struct ms_intervals_phase {
	struct ms_intervals_bounds references;
	struct ms_intervals_bounds *misses; /* by level */
};

/* One for each phase of a sampled run; NULL of others. The arena has them. */
struct ms_intervals_phase *ms_intervals_of_phases(const struct ms_summary *whole,
						  struct ms_arena *arena);

#endif
