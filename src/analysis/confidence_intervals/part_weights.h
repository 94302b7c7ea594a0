/* analysis/confidence_intervals/part_weights.h - what the parts of a sampled run's windows say; for
 * both kinds of intervals. */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_PART_WEIGHTS_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_PART_WEIGHTS_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/summary/summary.h"
#include "run/run.h"

/* What a sampled reference of a part stands for, in those of the first stratum. */
double ms_intervals_part_weight(const struct ms_run *run, uint32_t part);
/*
 * By cell: what each of its sampled references stands for beyond that, where executions between
 * windows were counted (estimate/site_factors.c); 1 where not. The caller frees it.
 */
double *ms_intervals_cell_factors(const struct ms_run *run);
/* Whether some sets were seen all the time: then misses count as they are, and references, which
 * are known, are spread evenly over the parts. */
bool ms_intervals_has_sampled_sets(const struct ms_run *run);
/* Then: a bit for each part that sets were in. */
uint64_t ms_intervals_used_parts(const struct ms_run *run);
/* Then: adds as many references of the program to the parts, as what was seen stands for. */
void ms_intervals_spread_evenly(const struct ms_run *run, uint64_t used, double references,
				double *by_part);
/* An array of ones, for figures by windows alone, where some factors differ from 1. NULL: none
 * does, or sets were sampled during the whole run. */
double *ms_intervals_unit_factors(const struct ms_run *run, const double *cells);
/* As many times more lines threads may have taken from each other than windows saw: where others
 * were in none, they may have run at that time as well. */
double ms_intervals_unseen_sharing(const struct ms_run *run);
/* Half the width of the 95 % interval of the sum of y over that of x; one of each per part. */
double ms_intervals_half_width(const struct ms_run *run, const double *y, const double *x);
/* Stall time of misses of a part: where all that are unknown hit, and where all miss. */
void ms_intervals_part_stall(const struct ms_summary *whole, const struct ms_run_sampled_miss *row,
			     double *low, double *high);

/* Misses of a level, and how many of them another processor's cache or another node's memory
 * answered; in numbers for the whole program. */
struct ms_intervals_answered {
	double misses;
	double peer;
	double remote;
};
/*
 * With several processors: bounds of the mean additional cost of a miss of the level, compared with
 * a hit. within: the interval of the number of misses. The answers are assumed to be as clustered
 * as the misses (design_effect.h).
 */
struct ms_intervals_bounds ms_intervals_mean_miss_cost(const struct ms_summary *whole,
						       uint32_t level,
						       const struct ms_intervals_answered *answered,
						       struct ms_intervals_bounds within);

/* Whether unknown references of windows are as the run estimates them, with the error of that:
 * where one processor was simulated. Else any of them may hit or miss. */
bool ms_intervals_is_modelled(const struct ms_run *run);
/* Whether sites are strata whose references were counted; ones: of ms_intervals_unit_factors(). */
bool ms_intervals_is_counted(const struct ms_run *run, const double *ones);
/* Then (miss_rate_interval.c): misses of a level, of the chosen cells, for each of their
 * references. */
struct ms_intervals_bounds ms_intervals_miss_rate(const struct ms_run *run, const bool *chosen,
						  uint32_t level, const double *cells,
						  bool counted);
/* What a miss of a level costs more than a hit there; several processors: on average. */
double ms_intervals_miss_cost(const struct ms_summary *whole, uint32_t level);
/* What one miss costs at most. */
double ms_intervals_max_miss_cost(const struct ms_summary *whole);
/* Of an out-of-order core: intervals of latencies become those of stall, since windows expose the
 * same part of them as the run does; figures: of the entry. */
void ms_intervals_expose(const struct ms_summary *whole, const struct ms_summary_counts *figures,
			 struct ms_intervals_entry *entry);
/* Events of any entry that may have occurred although no window contains one. An event that does
 * not occur in a sample has a frequency of at most three per sample, at 95 % (the rule of three).
 * The variation of parts does not include this. */
double ms_intervals_unobserved(const struct ms_run *run);
/* The largest part of the program that may lie between two windows. */
double ms_intervals_longest_gap(const struct ms_run *run);

#endif
