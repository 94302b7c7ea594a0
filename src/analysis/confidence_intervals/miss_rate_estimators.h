/*
 * analysis/confidence_intervals/miss_rate_estimators.h - estimates a program's miss rates from a
 * sampled run, by each of several estimators for the unknown references, and the interval of the
 * rate.
 *
 * With M known misses, U unknown references and n references in all, the miss rate is
 * (M + mu U) / n. docs/design/sampling.md has the estimators of mu.
 */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_MISS_RATE_ESTIMATORS_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_MISS_RATE_ESTIMATORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "run/run.h"

enum ms_intervals_estimator {
	MS_ESTIMATE_RUN,      /* as stored in the run: stitched, with first uses corrected */
	MS_ESTIMATE_STITCHED, /* caches start with the contents that the previous window has left */
	MS_ESTIMATE_HALF,     /* mu = 0.5 */
	MS_ESTIMATE_DEAD,     /* mu' from dead and generation times */
	MS_ESTIMATE_DATA_DEAD, /* the same for each data structure */
	MS_ESTIMATORS,
};

extern const char *const ms_intervals_estimator_names[MS_ESTIMATORS]; /* "stitched" ... */

struct ms_intervals_level_estimate {
	uint64_t references; /* in windows, as are the next three */
	uint64_t known;      /* misses */
	uint64_t unknown;
	uint64_t generations;
	double generations_each; /* for each line of the cache and window: G */
	double rate[MS_ESTIMATORS];
	double mu[MS_ESTIMATORS]; /* that gives the rate; NaN: none is unknown, or not known */
	/* The 95 % interval of the rate: the variation between windows, and the error of the
	 * estimate for unknown references (intervals.h). NaN: there are too few windows. */
	double low;
	double high;
	double error; /* half the width of the interval */
	/* Invalidation misses for each reference. The lower bound has those that are certain, the
	 * upper bound those in the simulation and all unknown references. */
	double lost;
	double lost_low;
	double lost_high;
};

struct ms_intervals_estimates {
	MS_VEC(struct ms_intervals_level_estimate) levels;
};

/*
 * The run must be a sampled one. code, data: only cells of these, a flag for each of the run; NULL:
 * all. The part of the cache that a window accesses is known only for all cells together, so mu' is
 * that of all cells.
 */
void ms_intervals_estimates_make(struct ms_intervals_estimates *estimates, const struct ms_run *run,
				 const bool *code, const bool *data);
void ms_intervals_estimates_free(struct ms_intervals_estimates *estimates);

/* The mean length of windows, in references: the first ones may be shorter than requested, and the
 * last one is incomplete. */
uint64_t ms_intervals_mean_window(const struct ms_run_sampling *sampling);

/* mu' from the share of time that lines are dead: of `frames` lines in the cache, a window accesses
 * `accessed`, and the others are dead. */
double ms_intervals_dead_mu(double dead_share, double frames, double accessed);

#endif
