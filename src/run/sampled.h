/* run/sampled.h - runs of which windows or some sets were seen; part of run/run.h. */
#ifndef MS_RUN_SAMPLED_H
#define MS_RUN_SAMPLED_H

#include <stdint.h>

/* The most parts that a sampled run is counted in. */
enum { MS_RUN_PARTS_MOST = 64 };

/*
 * How a run was sampled; a run that was seen whole has none. Its cells, misses, evictions and
 * instructions are estimates for the whole program: what was seen, times a scale. Where windows
 * were drawn otherwise from some time on, the first is about all of it, and behind it are the
 * strata, at least two: each has its own scale, and the next ones of the parts.
 */
struct ms_run_sampling {
	double ratio;        /* of the references that were to be in windows; 1: no windows */
	uint64_t window;     /* references in one, on average; 0: no windows */
	uint64_t sets;       /* of so many sets one was seen; 1: all were */
	uint64_t seed;       /* of how lengths and distances vary */
	uint64_t windows;    /* with references in them */
	uint64_t references; /* that were seen */
	double total;        /* of the program, as told or as estimated */
	uint32_t exact;      /* 1: told */
	double scale;        /* of references and misses */
	double time_scale;   /* of instructions */
	uint32_t parts;      /* that sums are kept in */
	double wanted;       /* how far the miss rate may be off; 0: nobody said */
	double total_low;    /* the total lies between these; if it was told, they are it */
	double total_high;
	double alone; /* natively: part of the references that one of several threads made while
		       * the others were in no window */
};

/* A level of it. */
struct ms_run_sampled_level {
	uint32_t level;
	uint64_t frames;  /* lines that it holds, of the sets that were seen */
	uint64_t unknown; /* accesses of lines of which nobody knows whether they hit */
};

/* Lines of a data that came into a level and left it, in one window. */
struct ms_run_sampled_life {
	uint32_t level;
	uint32_t data;
	uint64_t generations;
	uint64_t dead;  /* time from their last use on, in references ... */
	uint64_t whole; /* ... and from when they came */
};

/* References of a cell that were seen, in one part of the windows. */
struct ms_run_sampled_reference {
	uint32_t cell;
	uint32_t part;
	uint64_t references;
};

/* And what they did at a level; all others are known to have hit. */
struct ms_run_sampled_miss {
	uint32_t cell;
	uint32_t level;
	uint32_t part;
	uint64_t known;        /* misses */
	uint64_t unknown_hits; /* by what the window before had left there ... */
	uint64_t unknown_misses;
	/* Of these two: lines that were never seen before, and may have been used between windows.
	 */
	uint64_t unseen_known;
	uint64_t unseen_unknown;
	/* Of the known ones: another processor has taken the line away, as far as was seen; and
	 * surely so. */
	uint64_t lost;
	uint64_t surely_lost;
};

#endif
