/* analysis/summary/counts.h - the counts of an entry, and how cells and entries are added to them.
 */
#ifndef MS_ANALYSIS_SUMMARY_COUNTS_H
#define MS_ANALYSIS_SUMMARY_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/summary/cost.h"
#include "run/run.h"

enum ms_summary_rw { MS_READS, MS_WRITES, MS_RW };

struct ms_summary_level_counts {
	uint64_t misses[MS_RW];
	uint64_t causes[MS_CAUSES];
	uint64_t covered; /* of the misses, where the level has a prefetcher */
	/* See struct ms_run_miss; where run->division says so: */
	uint64_t conflict;
	uint64_t capacity;
	uint64_t saved;
	uint64_t maybe_saved;
	double conflict_variance;
	double capacity_variance;
	double saved_variance;
	/* Of several processors: */
	uint64_t falsely; /* of the invalidated */
	uint64_t peer;    /* of the misses: another processor's cache answered */
	uint64_t remote;  /* of the misses: another node's memory answered */
	uint64_t write_backs;
	struct ms_summary_level_cycles cycles; /* of an out-of-order core; else 0 */
};

/* Of an out-of-order core, beside the exposed latencies of levels; else 0. */
struct ms_summary_timing {
	uint64_t walks;
	uint64_t walk_cycles;        /* of these: stall ... */
	uint64_t bandwidth_cycles;   /* ... and of waiting for transfers from memory */
	uint64_t unexplained_cycles; /* joined runs: measured stall where none was simulated */
	uint64_t dependences[MS_RUN_DEPENDENCES]; /* misses of the first level by class */
};

/* Of a run with samples of the real machine: how many, and what intervals need. */
struct ms_summary_samples {
	uint64_t n; /* of references */
	double events_squares;
	uint64_t latency; /* in the source's unit */
	double latency_squares;
	uint64_t compute; /* nanoseconds, of code and lines */
	double compute_squares;
};

/* Of a joined run whose time is the measured one: cycles as the simulation estimates them. */
struct ms_summary_estimated {
	uint64_t stall[MS_RW];
	uint64_t compute;
};

/*
 * Of a run sampled on the real machine analysis/measured/measured.h says what the first three mean.
 * Stall and compute of a joined run are what was measured, in cycles.
 */
struct ms_summary_counts {
	bool used; /* there are references; of runs that do not count them all, misses */
	uint64_t references[MS_RW];
	uint64_t stall[MS_RW];
	/* Of code and lines, in a run with call paths, where analysis/call_paths has added it:
	 * stall cycles with all that they call, on any data. Sums of entries have none. */
	uint64_t inclusive;
	uint64_t instructions; /* of code, lines and processors; data executes none */
	uint64_t compute;      /* their cycles: one each, or with an out-of-order core estimated */
	struct ms_summary_timing timing;
	struct ms_summary_samples samples;
	struct ms_summary_estimated estimated;
	uint64_t upgrades; /* stores that hit, but made others give the line up */
	/* Compute and stall cycles, each divided by the processors that were busy then. */
	double normalised;
	struct ms_summary_level_counts *levels; /* one per level of the run */
};

static inline uint64_t ms_summary_rw_sum(const uint64_t counts[MS_RW])
{
	return counts[MS_READS] + counts[MS_WRITES];
}

/*
 * Whether references of the entry are known. Where only misses were looked up (run->misses_only) a
 * selection by data has none, nor has any data or bin; code, lines and all of a run do.
 */
static inline bool ms_summary_knows_references(const struct ms_run *run,
					       const struct ms_summary_counts *counts)
{
	return !run->misses_only || ms_summary_rw_sum(counts->references) > 0 || !counts->used;
}

/* Latency of all misses, with what an out-of-order core hides of it. */
uint64_t ms_summary_latency(const struct ms_summary_counts *counts, size_t levels);
/* The part of the latency of a level's misses that is exposed, 0 to 1; in-order cores: 1. */
double ms_summary_exposed_share(const struct ms_run *run, const struct ms_summary_counts *counts,
				size_t level);

/* References that this level answered (not the first); levels: the memory near by did. */
uint64_t ms_summary_answered(const struct ms_summary_counts *counts, size_t levels, size_t level);
/* No instruction and no reference. */
bool ms_summary_counts_empty(const struct ms_summary_counts *counts);

/* A cell, its misses (n rows) and their cost. */
struct ms_summary_cell_counts {
	const struct ms_run_cell *cell;
	enum ms_summary_rw rw;
	uint64_t references;
	const struct ms_run_miss *misses;
	size_t n;
	struct ms_summary_stall stall;
	uint64_t estimated; /* of a joined run: stall as it was simulated */
	struct ms_summary_samples samples;
	const struct ms_summary_cost *cost;
};

/* A walk over all cells: the index of the next one's first miss, and of its first sample. */
struct ms_summary_rows {
	size_t miss;
	size_t sample;
};

/* The counts of cell i, whose rows begin at *at, which is advanced past them. */
struct ms_summary_cell_counts ms_summary_cell_counts(const struct ms_run *run,
						     const struct ms_summary_cost *cost, size_t i,
						     struct ms_summary_rows *at);
void ms_summary_add_cell(struct ms_summary_counts *to, const struct ms_summary_cell_counts *cell);
/* Whether a walk has reached the last row: rows are sorted by cell. */
bool ms_summary_rows_end(const struct ms_run *run, const struct ms_summary_rows *at);
/* Whether a cell is of this code and data, a flag for each of the run; NULL: of any. */
bool ms_summary_cell_is_selected(const struct ms_run *run, uint32_t cell, const bool *code,
				 const bool *data);
/* Adds all counts of one entry to those of another. */
void ms_summary_add_counts(struct ms_summary_counts *to, const struct ms_summary_counts *from,
			   size_t levels);

/* Nanoseconds of compute time that were measured in a joined run. */
void ms_summary_add_measured_compute(struct ms_summary_counts *to,
				     const struct ms_summary_cost *cost,
				     const struct ms_run_hardware_compute *compute);
/*
 * split_measured.c: scales the simulated parts of an entry's stall (exposed latency of levels, page
 * walks, bandwidth) so that they add up to its measured stall. Without simulated stall, or nearly
 * so, all of it is unexplained. total: of the run.
 */
void ms_summary_split_measured(struct ms_summary_counts *counts,
			       const struct ms_summary_counts *total, size_t levels);
/* Adds the parts of one entry to those of another. */
void ms_summary_add_parts(struct ms_summary_counts *to, struct ms_summary_counts *from,
			  size_t levels);
void ms_summary_clear_parts(struct ms_summary_counts *counts, size_t levels);

#endif
