/* analysis/intervals_sums.h - what is added up of the cells of an entry, for its intervals. */
#ifndef MS_ANALYSIS_INTERVALS_SUMS_H
#define MS_ANALYSIS_INTERVALS_SUMS_H

#include "analysis/estimate_priv.h"
#include "analysis/intervals_priv.h"

/* A figure by part: what it is at least, and at most. */
struct ms_range {
	double low[MS_RUN_PARTS_MOST];
	double high[MS_RUN_PARTS_MOST];
	double error; /* of the sum, half the width of a 95 % interval, beside what parts differ by
		       */
};

/* Why misses of a level happened. */
struct ms_why {
	double unseen[MS_RUN_PARTS_MOST]; /* lines that may be used for the first time ... */
	double bounded; /* ... and of data that has fewer lines: these, in the program */
	double every[MS_RUN_PARTS_MOST]; /* those of either */
	double seen;                     /* likewise, once each */
	size_t data;
	struct ms_range replaced; /* known and seen before; all that were not surely taken */
	struct ms_range taken;    /* by other processors */
};

/* Of some cells. */
struct ms_sums {
	double references[MS_RUN_PARTS_MOST];
	/* Where sets were sampled: how they differ from what their sites have. */
	double apart[MS_RUN_PARTS_MOST];
	struct ms_range stall;        /* of several processors: priced by price_all() */
	struct ms_answered *answered; /* by level; of several processors only */
	struct ms_range *misses;      /* by level */
	struct ms_range *extreme;     /* likewise: if all that are unknown hit, and if all miss */
	struct ms_unknown_refs *unknown; /* likewise */
	double *stale;                   /* likewise: unknown ones that miss */
	struct ms_why *why;              /* likewise */
	struct ms_counts figures;        /* as the run has them */
};

struct ms_interval_maker {
	struct ms_intervals *intervals;
	const struct ms_summary *whole;
	const struct ms_run *run;
	uint32_t parts;
	size_t *references_at; /* of a cell: where its rows begin, and those of the next one */
	size_t *misses_at;
	size_t *answers_at;  /* likewise in the run's misses */
	const double *cells; /* what their references stand for (ms_estimate_cells) */
	struct ms_sums all;
	struct ms_sums one;
	enum ms_entry_kind kind; /* what entries are, or most like */
	bool whole_run;          /* the entry has all cells */
	/* Whether unknown references are as the run estimates them; else any of them may hit or
	 * miss. */
	bool modelled;
	struct ms_site_strata *strata; /* NULL: executions were not counted */
	struct ms_unknown_level *unknown_levels;
	struct ms_by_sets *by_sets;          /* NULL: not sampled by sets */
	struct ms_by_sets_doubt doubt;       /* then, of an entry */
	double (*unseen)[MS_RUN_PARTS_MOST]; /* by level, of one data in an entry */
};

/* intervals_sums.c */
void ms_sums_open(const struct ms_run *run, struct ms_sums *sums);
void ms_sums_close(struct ms_sums *sums);
void ms_sums_clear(const struct ms_interval_maker *maker, struct ms_sums *sums);
void ms_sums_add_cell(const struct ms_interval_maker *maker, struct ms_sums *sums, uint32_t cell);

#endif
