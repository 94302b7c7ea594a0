/*
 * analysis/summary/cost.h - converts counted events to cycles.
 *
 * A reference that misses level i and hits level i + 1 stalls for the latency of level i + 1. One
 * that misses all levels stalls for the latency of the memory. So, with misses[i] counted per level
 * and never more than at the level before:
 *
 *    stall = sum over i of (misses[i] - misses[i + 1]) * latency[i + 1],
 *            misses of the last level * latency of the memory
 *
 * Misses of a level that another processor's cache answered, and those of the last level that
 * another node's memory answered, are excluded from this sum and have latencies of their own.
 *
 * That is the cost of an in-order core, and what --cost latency shows of any run. Of an
 * out-of-order core, the engine's timing model has counted which part of each latency the processor
 * waited for:
 *
 *    stall = sum over i of exposed[i] * latency[i + 1], and of the last level's with the memory's,
 *            exposed page walks * latency of a walk,
 *            bytes that waited for bandwidth / bytes per cycle
 *
 * In-order cores: one cycle for each instruction (its hit in the first level included), one stall
 * for each reference.
 * Not modelled for them: upgrades, which are writes that hit but invalidate the line in other
 * caches (they are counted, but cause no stall); overlap; prefetching (misses that a prefetcher
 * covers stall as well; they are counted separately); bandwidth; store buffers. The figures are
 * meant for ranking, not for prediction.
 */
#ifndef MS_ANALYSIS_SUMMARY_COST_H
#define MS_ANALYSIS_SUMMARY_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/run.h"

struct ms_summary_cost {
	/* One per level: cycles of a miss of this level that the next one (or memory) answers. */
	MS_VEC(uint64_t) answer;
	uint64_t peer;   /* of a miss that another processor's cache answers ... */
	uint64_t remote; /* ... or another node's memory */
	bool weighs;     /* the run contains how many processors were busy */
	bool exposed;    /* only exposed parts of misses cost: the run has an out-of-order core */
	uint64_t walk;   /* then: cycles of a page walk ... */
	double byte;     /* ... and of the transfer of a byte from memory */
	bool measured;   /* of a joined run: stall and compute time are the measured ones ... */
	double ns;       /* ... of which a nanosecond has so many cycles; 1 if that is not known */
};

/* Stall cycles, and the same divided by the processors that were busy meanwhile. */
struct ms_summary_stall {
	uint64_t cycles;
	double weighted;
};

/*
 * The latencies of the run's machine, then those of `changes` ("L2=12,L3=40,memory=200,peer=60";
 * NULL: none) over them. On failure *cost needs no free.
 */
int ms_summary_cost_init(struct ms_summary_cost *cost, const struct ms_run *run,
			 const char *changes, struct ms_err *err);
/* Where the latency of the misses went that missed no level after this one. */
struct ms_summary_level_cycles {
	uint64_t exposed;    /* the processor waited: stall; joined runs: scaled to the measured */
	uint64_t estimated;  /* the same as it was simulated */
	uint64_t prefetched; /* hidden by prefetching */
	uint64_t overlapped; /* hidden by other misses and computation */
};

/*
 * The latencies of the misses of one cell, or of anything else that has some: n rows, by level.
 * What peers and remote memory answered has the average weight of its row.
 */
struct ms_summary_stall ms_summary_cost_stall(const struct ms_summary_cost *cost,
					      const struct ms_run_miss *rows, size_t n);
/* Of row i of these n rows; all of it is exposed unless cost->exposed. */
struct ms_summary_level_cycles ms_summary_cost_level(const struct ms_summary_cost *cost,
						     const struct ms_run_miss *rows, size_t n,
						     size_t i);
/* Stall of a cell and its n rows: exposed parts, page walks and bandwidth, or all latencies. */
struct ms_summary_stall ms_summary_cost_cell(const struct ms_summary_cost *cost,
					     const struct ms_run_cell *cell,
					     const struct ms_run_miss *rows, size_t n);
/* Parts of that: cycles of page walks, and of waiting for bandwidth. */
uint64_t ms_summary_cost_walks(const struct ms_summary_cost *cost, const struct ms_run_cell *cell);
uint64_t ms_summary_cost_bandwidth(const struct ms_summary_cost *cost,
				   const struct ms_run_cell *cell);
/* Cycles that a miss of a level waits longer than a reference that the level answers. */
uint64_t ms_summary_cost_of_miss(const struct ms_summary_cost *cost, size_t level);
uint64_t ms_summary_miss_count(const struct ms_run_miss *row);
void ms_summary_cost_free(struct ms_summary_cost *cost);

#endif
