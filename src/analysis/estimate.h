/*
 * analysis/estimate.h - what a sampled run says of a program's miss rates, by each of several
 * guesses about the references of which nobody knows whether they hit, and how far off it may be.
 *
 * With M known misses, U unknown references and n of all, the miss rate is (M + mu U) / n.
 * docs/design/sampling.md has the guesses for mu.
 */
#ifndef MS_ANALYSIS_ESTIMATE_H
#define MS_ANALYSIS_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "run/run.h"

enum ms_estimator {
	MS_ESTIMATE_RUN,       /* as the run has it: stitched, and first uses corrected */
	MS_ESTIMATE_STITCHED,  /* what the window before had left */
	MS_ESTIMATE_HALF,      /* mu = 0.5 */
	MS_ESTIMATE_DEAD,      /* mu' from dead and generation times */
	MS_ESTIMATE_DATA_DEAD, /* the same by data */
	MS_ESTIMATORS,
};

extern const char *const ms_estimator_names[MS_ESTIMATORS]; /* "stitched" ... */

struct ms_level_estimate {
	uint64_t references; /* that were seen; likewise the next three */
	uint64_t known;      /* misses */
	uint64_t unknown;
	uint64_t generations;
	double generations_each; /* for each line of the cache and window: G */
	double rate[MS_ESTIMATORS];
	double mu[MS_ESTIMATORS]; /* that the rate comes to; NaN: nothing is unknown, or can be said
				   */
	/* The rate lies between these in 95 of 100 cases, as windows differ and as what is
	 * estimated of unknown references may be off (intervals.h). NaN: there are too few windows.
	 */
	double low;
	double high;
	double error; /* how far the middle of these is from either */
	/* Misses of lines that another processor has taken away, for each reference: between those
	 * that surely were, and those that were as far as was seen, with all that is unknown. */
	double lost;
	double lost_low;
	double lost_high;
};

struct ms_estimates {
	MS_VEC(struct ms_level_estimate) levels;
};

/*
 * The run must be a sampled one. code, data: only cells of these, a flag for each of the run; NULL:
 * of all. How much of the cache a window meets is known of all cells together only, so mu' is
 * theirs.
 */
void ms_estimates_make(struct ms_estimates *estimates, const struct ms_run *run, const bool *code,
		       const bool *data);
void ms_estimates_free(struct ms_estimates *estimates);

/* How long windows were on average, in references: the first ones may be shorter than was asked
 * for, and the last one did not come to its end. */
uint64_t ms_estimate_window(const struct ms_run_sampling *sampling);

/* mu' from the share of time that lines are dead: of `frames` lines in the cache, a window comes to
 * `met`, and those that it does not come to are dead ones. */
double ms_estimate_mu(double dead_share, double frames, double met);

#endif
