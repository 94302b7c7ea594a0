/* run/sampled.h - runs of which only windows or some sets were simulated; part of run/run.h. */
#ifndef MS_RUN_SAMPLED_H
#define MS_RUN_SAMPLED_H

#include <stdint.h>

/* The maximum number of parts in which a sampled run is counted. */
enum { MS_RUN_PARTS_MOST = 64 };

/*
 * How a run was sampled; a run that was simulated as a whole has none. Its cells, misses, evictions
 * and instructions are estimates for the whole program: the simulated counts times a scale. If the
 * density of windows changed during the run, the first element describes the whole run, and the
 * strata follow it, at least two: each has its own scale, and the next ones of the parts.
 */
struct ms_run_sampling {
	double ratio;        /* share of references that should be in windows; 1: no windows */
	uint64_t window;     /* mean references of a window; 0: no windows */
	uint64_t sets;       /* one of so many sets was simulated; 1: all were */
	uint64_t seed;       /* of the variation of lengths and distances */
	uint64_t windows;    /* with references in them */
	uint64_t references; /* that were simulated */
	double total;        /* of the program, reported or estimated */
	uint32_t exact;      /* 1: reported */
	double scale;        /* of references and misses */
	double time_scale;   /* of instructions */
	uint32_t parts;      /* for which sums are kept */
	double wanted;       /* permitted error of the miss rate; 0: not given */
	double total_low;    /* bounds of the total; equal to it if it was reported */
	double total_high;
	double alone; /* native tracer: share of the references that one of several threads made
			 while the others were in no window */
};

/* One of its levels. */
struct ms_run_sampled_level {
	uint32_t level;
	uint64_t frames;  /* lines that it holds, of the simulated sets */
	uint64_t unknown; /* accesses to lines of which it is unknown whether they hit */
};

/* Lines of a data structure that were brought into a level and evicted, in one window. */
struct ms_run_sampled_life {
	uint32_t level;
	uint32_t data;
	uint64_t generations;
	uint64_t dead;  /* sum of times from last use to eviction, in references ... */
	uint64_t whole; /* ... and from fill to eviction */
};

/* Simulated references of a cell, in one part of the windows. */
struct ms_run_sampled_reference {
	uint32_t cell;
	uint32_t part;
	uint64_t references;
};

/* Their results at a level; all others are known to have hit. */
struct ms_run_sampled_miss {
	uint32_t cell;
	uint32_t level;
	uint32_t part;
	uint64_t known;        /* misses */
	uint64_t unknown_hits; /* by what the previous window left in the cache ... */
	uint64_t unknown_misses;
	/*
	 * Of these two: lines that were not simulated before, and may have been used between
	 * windows.
	 */
	uint64_t unseen_known;
	uint64_t unseen_unknown;
	/*
	 * Of the known ones: another processor has invalidated the line, according to the simulated
	 * references; and certainly so.
	 */
	uint64_t lost;
	uint64_t surely_lost;
};

#endif
