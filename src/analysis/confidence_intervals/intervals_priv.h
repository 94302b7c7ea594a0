/* analysis/confidence_intervals/intervals_priv.h - declarations that the files of intervals.h
 * share. */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_INTERVALS_PRIV_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_INTERVALS_PRIV_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/confidence_intervals/unknown_refs.h"

/* As ms_intervals_make(); whole_run: there is one entry, which has all cells. */
void ms_intervals_of_keys(struct ms_intervals *intervals, const struct ms_summary *whole,
			  const uint64_t *keys, enum ms_summary_entry_kind kind, bool whole_run);
/* Parts that the run was counted in, of all strata. */
uint32_t ms_intervals_parts(const struct ms_run *run);

/* contain_figures.c: widens intervals until they contain the figures that are shown. */
void ms_intervals_contain(struct ms_intervals_entry *entry, const struct ms_summary *whole,
			  const struct ms_summary_counts *counts);

/* measured_time.c: stall and compute time of joined runs. */
void ms_intervals_set_measured(const struct ms_summary *whole,
			       const struct ms_summary_counts *figures,
			       struct ms_intervals_entry *entry);
void ms_intervals_set_measured_compute(struct ms_intervals *intervals, const struct ms_run *run,
				       const uint64_t *keys);

/* cell_misses.c: what is known of a cell: rows of windows, and the run's figures. */
struct ms_intervals_cell_rows {
	const struct ms_run_sampled_miss *at;
	size_t n;
	const struct ms_run_miss *figures;
	size_t figures_n;
};
/* Of a level: misses as the run estimates them, by part, and the unknown references among them. */
struct ms_intervals_cell_level {
	double misses[MS_RUN_PARTS_MOST];
	struct ms_intervals_unknown_refs unknown;
};
/* factor: what each sampled reference of the cell counts (ms_intervals_cell_factors()). */
void ms_intervals_cell_level(const struct ms_run *run, const struct ms_intervals_cell_rows *rows,
			     double factor, uint32_t number, struct ms_intervals_cell_level *level);
/* Of a level of the run, that has so many unknown references. */
struct ms_intervals_unknown_total ms_intervals_unknown_level(const struct ms_run *run,
							     uint32_t level, double all);

/* cell_misses.c: where executions between windows were counted, sites are strata of known size.
 * cells: what each sampled reference of a cell counts. NULL stands for none. */
struct ms_intervals_strata;
struct ms_intervals_strata *ms_intervals_strata_open(const struct ms_run *run, const double *cells,
						     uint32_t parts);
/* Misses, or references, of a cell, by part: what parts differ by becomes what they differ by
 * within the site. */
void ms_intervals_strata_misses(const struct ms_intervals_strata *strata, uint32_t cell,
				double *by_part);
void ms_intervals_strata_references(const struct ms_intervals_strata *strata, uint32_t cell,
				    double *by_part);
void ms_intervals_strata_close(struct ms_intervals_strata *strata);

/* sampled_sets.c: for sampled sets during the whole run; else NULL. */
struct ms_intervals_by_sets;
struct ms_intervals_by_sets *ms_intervals_by_sets_open(const struct ms_run *run);
void ms_intervals_by_sets_close(struct ms_intervals_by_sets *by_sets);
/* Adds a cell's references, evenly over the parts, and the deviation of each part from its share of
 * the site's references. */
void ms_intervals_by_sets_add(const struct ms_intervals_by_sets *by_sets, uint32_t cell,
			      double *references, double *apart);
/* Uncertain references of an entry, in units of simulated ones: those of its cells that may belong
 * to other data (fewer); those of its sites, and of their code, that may belong to any data. */
struct ms_intervals_uncertain {
	double fewer;
	double own, of_code;
	bool unseen;     /* it has some of which no data was seen */
	uint32_t entry;  /* its number, from 1 on ... */
	uint32_t *codes; /* ... and by code, that of the last entry that has some of it */
};
void ms_intervals_by_sets_add_uncertain(const struct ms_intervals_by_sets *by_sets, uint32_t cell,
					struct ms_intervals_uncertain *uncertain);
/* How many more references the entry may have; any_code: of all code. */
double ms_intervals_by_sets_more(const struct ms_intervals_by_sets *by_sets,
				 const struct ms_intervals_uncertain *uncertain, bool any_code);

/* compute_cycles.c: where compute cycles are counted, a line of source on a processor each. */
struct ms_intervals_compute_row {
	uint32_t line;
	uint32_t processor;
	double cycles;
};
size_t
ms_intervals_compute_rows(const struct ms_run *run); /* of a run that was not sampled, none */
struct ms_intervals_compute_row ms_intervals_compute_row(const struct ms_run *run, size_t row);
/* Sets `compute` of the entries; keys: of each row, as of cells. */
void ms_intervals_set_compute(struct ms_intervals *intervals, const struct ms_run *run,
			      const uint64_t *keys);

#endif
