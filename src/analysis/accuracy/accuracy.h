/*
 * analysis/accuracy/accuracy.h - compares a sampled run with one that was simulated completely:
 * miss rates, the order of the bins, causes. The 1993 paper's Tables 3, 5 and 6.
 */
#ifndef MS_ANALYSIS_ACCURACY_ACCURACY_H
#define MS_ANALYSIS_ACCURACY_ACCURACY_H

#include "analysis/confidence_intervals/miss_rate_estimators.h"
#include "analysis/summary/summary.h"

struct ms_accuracy_level {
	const char *name;
	double rate; /* the true one */
	struct ms_intervals_level_estimate sampled;
	bool covered;                     /* the true rate lies in the interval */
	double causes[MS_CAUSES];         /* shares of the true misses; NaN: there are none */
	double sampled_causes[MS_CAUSES]; /* replaced: without the next */
	double lost;       /* invalidation misses for each reference: the true rate */
	bool lost_covered; /* it lies in the interval */
	double not_seen;   /* share of the misses: evicted between windows, the evictor is not known
			    */
};

/* A bin of those with the most stall time, in the true order. */
struct ms_accuracy_bin {
	const char *name;
	double share; /* of all stall time */
	double sampled_share;
	uint32_t rank;         /* from 1 */
	uint32_t sampled_rank; /* 0: the sampled run has none such */
};

struct ms_accuracy {
	const struct ms_run *whole;
	const struct ms_run *sampled;
	struct ms_summary summary;
	struct ms_summary sampled_summary;
	MS_VEC(struct ms_accuracy_level) levels;
	MS_VEC(struct ms_accuracy_bin) bins; /* that make up `through` of the stall time */
	double through;
	uint64_t references; /* the true number */
	bool covered;        /* it lies where the sampled run says */
	/* Pairs of these bins that are in the opposite order in the sampled run (swapped); those of
	 * them whose larger bin is in no window, so that the run makes no claim (unclaimed); and
	 * those whose order the intervals confirm wrongly (wrong). judged: there are such
	 * intervals. */
	size_t swapped;
	size_t unclaimed;
	size_t wrong;
	bool judged;
	size_t in_order; /* from the first: bins whose ranks are the same */
};

/* Both runs must outlive it. MS_EUSAGE: they cannot be compared. */
int ms_accuracy_make(struct ms_accuracy *accuracy, const struct ms_run *whole,
		     const struct ms_run *sampled, struct ms_err *err);
void ms_accuracy_free(struct ms_accuracy *accuracy);

#endif
