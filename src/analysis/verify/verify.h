/*
 * analysis/verify/verify.h - the measured gain of a change: two commands were run in turn, and each
 * pair of times gives a ratio.
 *
 * The measured gain is that of the median ratio, so that a few disturbed rounds do not change it.
 * Its interval are order statistics of the ratios: at least 95 % from six rounds on; with fewer,
 * all ratios are between the bounds.
 */
#ifndef MS_ANALYSIS_VERIFY_VERIFY_H
#define MS_ANALYSIS_VERIFY_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

struct ms_verify_side {
	const double *seconds; /* of each round */
	double median;
	double fastest;
};

struct ms_verify {
	size_t rounds;
	struct ms_verify_side before, after;
	/* Share of the time of the command before: below 0 if the change made it slower. */
	double gain, gain_low, gain_high;
	double fastest_gain; /* of the fastest rounds of both */
};

/* before, after: seconds above 0 of each of `rounds` (at least 1) rounds; they must outlive it. */
void ms_verify_make(struct ms_verify *verify, const double *before, const double *after,
		    size_t rounds);

/* Whether a predicted gain is within a factor of the measured one. */
bool ms_verify_is_within(double predicted, double measured, double factor);

#endif
