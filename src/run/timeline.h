/*
 * run/timeline.h - misses over time; part of run/run.h. Runs that were not simulated have none.
 */
#ifndef MS_RUN_TIMELINE_H
#define MS_RUN_TIMELINE_H

#include <stdint.h>

#include "run/counts.h"

/* The most slices of a run, and the most pairs of code and data, and lines, that a slice has apart.
 */
enum { MS_RUN_TIMELINE_MOST = 2048, MS_RUN_SLICE_PAIRS_MOST = 16, MS_RUN_SLICE_LINES_MOST = 16 };

/* Threads that have lanes over time. */
enum { MS_RUN_SLICE_THREADS = 64 };

/* The most parts of a run that set_slices has: so many neighbouring slices are one part. */
enum { MS_RUN_SET_PARTS = 64 };

/* A part of the run; they follow each other. */
struct ms_run_slice {
	uint64_t steps; /* executed blocks and references; in sampled runs of windows */
	uint32_t phase; /* the one with the most steps; MS_NONE: the program marks none */
};

/* Misses, of which `causes` are all by enum ms_run_cause; all 0: not known, as in runs of which
 * windows were simulated, and in runs of schemas before 33. */
struct ms_run_slice_counts {
	uint64_t misses;
	uint64_t causes[MS_CAUSES];
};

/* Misses of code on data in a slice, of the pairs whose misses have the largest latency. */
struct ms_run_slice_miss {
	uint32_t slice;
	uint32_t code;
	uint32_t data;
	uint32_t level;
	struct ms_run_slice_counts counts;
};

/* Misses of a line of source in a slice, of the lines whose misses have the largest latency. */
struct ms_run_slice_line {
	uint32_t slice;
	uint32_t line;
	uint32_t level;
	struct ms_run_slice_counts counts;
};

/* All misses of a processor in a slice. */
struct ms_run_slice_sum {
	uint32_t slice;
	uint32_t processor;
	uint32_t level;
	struct ms_run_slice_counts counts;
};

/* Latency of the misses of a thread in a slice; of several processors, and of the
 * MS_RUN_SLICE_THREADS threads that have the most. */
struct ms_run_slice_thread {
	uint32_t slice;
	uint32_t thread;
	uint64_t latency;
};

/*
 * Lines that missed a level by group of neighbouring sets (MS_RUN_SET_GROUPS) and time: `slice` is
 * the first of the slices that the part consists of (ms_run_set_part_slices()).
 */
struct ms_run_set_slice {
	uint32_t slice;
	uint32_t level;
	uint32_t sets;
	uint64_t misses;
};

#endif
