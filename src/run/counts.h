/* run/counts.h - counts of references, misses, evictions, occupancy and phases of a run; part of
 * run/run.h. */
#ifndef MS_RUN_COUNTS_H
#define MS_RUN_COUNTS_H

#include <stdint.h>

enum ms_run_cause { MS_CAUSE_FIRST, MS_CAUSE_REPLACED, MS_CAUSE_INVALIDATED, MS_CAUSES };

/* The timing model of out-of-order cores counts parts of misses and page walks in this unit. */
enum { MS_RUN_MISS_UNIT = 1024 };

/* What the address of a reference depends on; enum_words.h has the words. */
enum ms_run_dependence {
	MS_RUN_DEPENDENCE_UNKNOWN, /* the front-end did not describe registers */
	MS_RUN_DEPENDENCE_AFFINE,  /* on no load */
	MS_RUN_DEPENDENCE_LED,     /* on other loads: a gather */
	MS_RUN_DEPENDENCE_CHAINED, /* on an earlier load of its own site: a pointer chain */
	MS_RUN_DEPENDENCES,
};

/* References of one site to one data by one processor. */
struct ms_run_cell {
	uint32_t site;
	uint32_t data;
	uint64_t references;
	uint32_t processor;
	uint64_t upgrades; /* writes that hit, but had to invalidate the line in other caches */
	/* By the timing model; in-order cores: all are 0. */
	uint64_t walks;         /* page walks */
	uint64_t exposed_walks; /* in units: the part that the processor waited for */
	uint64_t waited_bytes;  /* their transfer from memory limited the speed */
	uint64_t dependences[MS_RUN_DEPENDENCES]; /* misses of the first level by class */
};

/* Misses of a cell at one level, by cause; no row if there are none. */
struct ms_run_miss {
	uint32_t cell;
	uint32_t level;
	uint64_t causes[MS_CAUSES];
	uint64_t covered; /* of all: a prefetcher would have fetched the line before */
	/* With several processors; else all are 0: */
	uint64_t falsely;     /* of the invalidated: no other processor wrote these bytes */
	uint64_t peer;        /* of all: another processor's cache answered, not the next level */
	uint64_t remote;      /* of the last level's: another node's memory answered */
	uint64_t write_backs; /* lines that private caches had to write back because of them */
	double weighted;      /* each divided by the number of busy processors */
	/*
	 * By the timing model (in-order cores: 0), of the misses that missed no further level, in
	 * units: the part of their latency that the processor waited for, and the part that
	 * prefetching hid. Overlap with other misses and computation hid the rest.
	 */
	uint64_t exposed;
	uint64_t prefetched;
	/*
	 * By ms_run.division. Of the replaced: a fully associative LRU cache of the same size would
	 * certainly have hit, or certainly missed; the rest is ambiguous.
	 */
	uint64_t conflict;
	uint64_t capacity;
	uint64_t saved; /* line accesses that hit, which that cache would have missed */
	/* Of estimates (MS_RUN_ESTIMATED); else 0: hits of which it is not known, and variances. */
	uint64_t maybe_saved;
	double conflict_variance;
	double capacity_variance;
	double saved_variance;
};

/* Replacement misses of a cell at a level, by the data whose reference had evicted the line. */
struct ms_run_replaced {
	uint32_t cell;
	uint32_t level;
	uint32_t evictor; /* data */
	uint64_t count;
};

/* Lines of victim that references of a cell (its site, its data: the evictor) evicted. */
struct ms_run_eviction {
	uint32_t cell;
	uint32_t level;
	uint32_t victim; /* data */
	uint64_t count;
};

/*
 * The lines of a level that a data structure occupied, in all caches of the level together. A line
 * belongs to the data whose reference brought it in.
 */
struct ms_run_occupancy {
	uint32_t level;
	uint32_t data;
	uint64_t lines; /* at the end */
	uint64_t peak;
	double mean; /* over the steps of the run */
};

/* The mean over a slice of the run, for the data with the most lines. */
struct ms_run_stay {
	uint32_t level;
	uint32_t data; /* MS_NONE: all others together */
	uint32_t slice;
	double lines;
	uint64_t came; /* lines that were brought into the level in that slice; 0 in older runs */
};

/* The maximum number of slices of a run. */
enum { MS_RUN_SLICES_MOST = 64 };

/* All parts of the run with one phase name; the first is the part before any phase. */
struct ms_run_phase {
	const char *name;
	uint64_t times;      /* number of times it began */
	uint64_t references; /* of runs sampled on the real machine: samples */
};

/*
 * Misses of a level in a phase. Runs sampled on the real machine have no levels, but two figures:
 * enum ms_run_phase_figure.
 */
struct ms_run_phase_miss {
	uint32_t phase;
	uint32_t level;
	uint64_t misses;
};

enum ms_run_phase_figure {
	MS_PHASE_LATENCY, /* of references, in the source's unit; page faults: their number */
	MS_PHASE_COMPUTE, /* nanoseconds */
	MS_PHASE_FIGURES,
};

#endif
