/* analysis/confidence_intervals/entry_sums.h - what is added up of the cells of an entry, for its
 * intervals.
 */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_ENTRY_SUMS_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_ENTRY_SUMS_H

#include "analysis/confidence_intervals/intervals_priv.h"
#include "analysis/confidence_intervals/part_weights.h"

/* A figure by part: what it is at least, and at most. */
struct ms_intervals_range {
	double low[MS_RUN_PARTS_MOST];
	double high[MS_RUN_PARTS_MOST];
	double error; /* of the sum, half the width of a 95 % interval, beside what parts differ by
		       */
};

/* Why misses of a level happened. */
struct ms_intervals_causes {
	double unseen[MS_RUN_PARTS_MOST]; /* lines that may be used for the first time ... */
	double bounded; /* ... and of data that has fewer lines: these, in the program */
	double every[MS_RUN_PARTS_MOST]; /* those of either */
	double seen;                     /* likewise, once each */
	size_t data;
	struct ms_intervals_range
		replaced;                /* known and seen before; all that were not surely taken */
	struct ms_intervals_range taken; /* by other processors */
};

/* Of some cells. */
struct ms_intervals_sums {
	double references[MS_RUN_PARTS_MOST];
	/* Where sets were sampled: how they differ from what their sites have. */
	double apart[MS_RUN_PARTS_MOST];
	struct ms_intervals_range stall;        /* of several processors: priced by price_all() */
	struct ms_intervals_answered *answered; /* by level; of several processors only */
	struct ms_intervals_range *misses;      /* by level */
	struct ms_intervals_range
		*extreme; /* likewise: if all that are unknown hit, and if all miss */
	struct ms_intervals_unknown_refs *unknown; /* likewise */
	double *stale;                             /* likewise: unknown ones that miss */
	struct ms_intervals_causes *why;           /* likewise */
	struct ms_summary_counts figures;          /* as the run has them */
};

struct ms_intervals_maker {
	struct ms_intervals *intervals;
	const struct ms_summary *whole;
	const struct ms_run *run;
	uint32_t parts;
	size_t *references_at; /* of a cell: where its rows begin, and those of the next one */
	size_t *misses_at;
	size_t *answers_at;  /* likewise in the run's misses */
	size_t *samples_at;  /* likewise in its samples of the real machine */
	const double *cells; /* what their references stand for (ms_intervals_cell_factors) */
	struct ms_intervals_sums all;
	struct ms_intervals_sums one;
	enum ms_summary_entry_kind kind; /* what entries are, or most like */
	bool whole_run;                  /* the entry has all cells */
	/* Whether unknown references are as the run estimates them; else any of them may hit or
	 * miss. */
	bool modelled;
	struct ms_intervals_strata *strata; /* NULL: executions were not counted */
	struct ms_intervals_unknown_total *unknown_levels;
	struct ms_intervals_by_sets *by_sets;    /* NULL: not sampled by sets */
	struct ms_intervals_uncertain uncertain; /* then, of an entry */
	double (*unseen)[MS_RUN_PARTS_MOST];     /* by level, of one data in an entry */
};

/* entry_sums.c */
void ms_intervals_sums_open(const struct ms_run *run, struct ms_intervals_sums *sums);
void ms_intervals_sums_close(struct ms_intervals_sums *sums);
void ms_intervals_sums_clear(const struct ms_intervals_maker *maker,
			     struct ms_intervals_sums *sums);
void ms_intervals_sums_add_cell(const struct ms_intervals_maker *maker,
				struct ms_intervals_sums *sums, uint32_t cell);

#endif
