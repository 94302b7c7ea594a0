/* analysis/estimate_priv.h - what the parts of a sampled run's windows say; for both kinds of
 * intervals. */
#ifndef MS_ANALYSIS_ESTIMATE_PRIV_H
#define MS_ANALYSIS_ESTIMATE_PRIV_H

#include "analysis/intervals.h"
#include "analysis/summary.h"
#include "run/run.h"

/* What a sampled reference of a part stands for, in those of the first stratum. */
double ms_estimate_weight(const struct ms_run *run, uint32_t part);
/*
 * By cell: what each of its sampled references stands for beyond that, where executions between
 * windows were counted (collect/counted.c); 1 where not. The caller frees it.
 */
double *ms_estimate_cells(const struct ms_run *run);
/* Whether some sets were seen all the time: then misses count as they are, and references, which
 * are known, are spread evenly over the parts. */
bool ms_estimate_by_sets(const struct ms_run *run);
/* Then: a bit for each part that sets were in. */
uint64_t ms_estimate_used(const struct ms_run *run);
/* Then: adds as many references of the program to the parts, as what was seen stands for. */
void ms_estimate_even(const struct ms_run *run, uint64_t used, double references, double *by_part);
/* As many ones, where some of them are not: as windows met them. NULL: all are. */
double *ms_estimate_ones(const struct ms_run *run, const double *cells);
/* As many times more lines threads may have taken from each other than windows saw: where others
 * were in none, they may have run at that time as well. */
double ms_estimate_together(const struct ms_run *run);
/* Half the width of the 95 % interval of the sum of y over that of x; one of each per part. */
double ms_estimate_spread(const struct ms_run *run, const double *y, const double *x);
/* Stall time of misses of a part: where all that are unknown hit, and where all miss. */
void ms_estimate_stall(const struct ms_summary *whole, const struct ms_run_sampled_miss *row,
		       double *low, double *high);

/* Misses of a level, and how many of them another processor's cache or another node's memory
 * answered; in numbers for the whole program. */
struct ms_answered {
	double misses;
	double peer;
	double remote;
};
/*
 * Of several processors: what each miss of the level costs more than if it had been none, on
 * average, at least and at most; within: how far their number may be off. Who answered is taken to
 * be as bunched as the misses are (effect.h).
 */
struct ms_bounds ms_estimate_price(const struct ms_summary *whole, uint32_t level,
				   const struct ms_answered *answered, struct ms_bounds within);

/* Whether unknown references of windows are as the run estimates them, with the error of that:
 * where one processor was simulated. Else any of them may hit or miss. */
bool ms_estimate_is_modelled(const struct ms_run *run);
/* Whether sites are strata whose references were counted; ones: of ms_estimate_ones(). */
bool ms_estimate_is_counted(const struct ms_run *run, const double *ones);
/* Then (estimate_rate.c): misses of a level, of the chosen cells, for each of their references. */
struct ms_bounds ms_estimate_rate(const struct ms_run *run, const bool *chosen, uint32_t level,
				  const double *cells, bool counted);
/* What a miss of a level costs more than a hit there; several processors: on average. */
double ms_estimate_cost(const struct ms_summary *whole, uint32_t level);
/* What one miss costs at most. */
double ms_estimate_dearest(const struct ms_summary *whole);
/* Events that windows may have met, and did not: of any entry. What never happened in a sample may
 * be as frequent as three times in it, at 95 % (the rule of three). Parts do not tell. */
double ms_estimate_unmet(const struct ms_run *run);
/* As large a part of the program as a stretch can be that lies between two windows. */
double ms_estimate_stretch(const struct ms_run *run);

#endif
