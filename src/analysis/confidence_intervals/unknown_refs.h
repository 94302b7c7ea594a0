/*
 * analysis/confidence_intervals/unknown_refs.h - the error of the estimated misses of unknown
 * references.
 *
 * A reference is unknown where a window cannot tell whether it hit: its line was not used in this
 * window yet, and its set was not full of lines that were. The run estimates how many of them miss
 * (estimate/extrapolate.c), of three kinds of lines: lines that earlier windows have seen, by the
 * simulated cache, which keeps its contents from window to window; lines that were used between
 * windows only, by the same share (estimate/evicted_share.c); and first uses, by how often windows
 * come back to lines (estimate/first_use.c).
 *
 * Each estimate is a model, and windows do not show its error. The standard errors here were
 * measured against whole simulations of programs (docs/design/sampling.md has them, and others that
 * they were not fitted to). The error for lines that were used between windows only grows with the
 * difference between their share and that of uniform reuse. Errors are larger for an entry that has
 * only a part of the unknown references, because errors of parts cancel in the whole.
 */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_UNKNOWN_REFS_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_UNKNOWN_REFS_H

#include <stdbool.h>

/* Of one level; all counts are those of windows, not multiplied for the whole program. */
struct ms_intervals_unknown_refs {
	double seen_before, seen_before_misses;   /* lines that an earlier window has used */
	double between_only, between_only_misses; /* lines that were used between windows only */
	double first;                             /* first uses, which miss */
};

/* All of them, whether they miss or not. */
double ms_intervals_unknown_refs_count(const struct ms_intervals_unknown_refs *refs);

/* Of the whole run, at the same level. */
struct ms_intervals_unknown_total {
	double all;             /* unknown references */
	double uniform_evicted; /* share of lines evicted, if all lines were reused alike */
	bool is_first;          /* the first level: it is small, and forgets between windows */
};

/* The standard error of the misses of these. */
double ms_intervals_unknown_refs_error(const struct ms_intervals_unknown_refs *refs,
				       const struct ms_intervals_unknown_total *level);

#endif
