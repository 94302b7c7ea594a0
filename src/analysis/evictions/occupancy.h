/*
 * analysis/evictions/occupancy.h - which data has how much of a cache level: on average, at most,
 * at the end, and over time.
 *
 * What stands for itself, all other data together, and what is empty add up to the level.
 *
 * Of a sampled run, what comes in has an interval: misses of a slice are some of all misses
 * (design_effect.h). What is there has none: windows find what earlier ones have left, which is no
 * sample of what the program had there.
 */
#ifndef MS_ANALYSIS_EVICTIONS_OCCUPANCY_H
#define MS_ANALYSIS_EVICTIONS_OCCUPANCY_H

#include "analysis/evictions/evictions.h"

struct ms_evictions_occupant {
	uint32_t data;  /* MS_NONE: all others together */
	uint64_t peak;  /* lines; not known of the others */
	uint64_t lines; /* at the end */
	double mean;
	bool timed;                        /* has a time line: */
	double slices[MS_RUN_SLICES_MOST]; /* lines on average, of ms_run_slices() */
	uint64_t came[MS_RUN_SLICES_MOST]; /* lines that came into the level */
	/* Of a sampled run, of a single data: the interval of these, as windows saw them; NaN: they
	 * saw too few. */
	struct ms_intervals_bounds came_within[MS_RUN_SLICES_MOST];
};

struct ms_evictions_occupants {
	const struct ms_run *run;
	uint32_t level;
	bool known;      /* false: the run does not say */
	bool known_came; /* likewise of what came */
	uint64_t lines;  /* of the level */
	uint32_t slices;
	MS_VEC(struct ms_evictions_occupant) at; /* by mean, the most first; the others last */
	size_t others;                           /* how many data are among them */
	double empty;                            /* lines, on average; and in each slice: */
	double empty_slices[MS_RUN_SLICES_MOST];
	/* Lines of all data that came in, and their interval, as above. */
	uint64_t came[MS_RUN_SLICES_MOST];
	struct ms_intervals_bounds came_within[MS_RUN_SLICES_MOST];
};

/*
 * At most so many data beside the others: those that were asked for (evictions.h: `of`), or else
 * those that have a time line and on average at least this share of the level.
 */
void ms_evictions_occupants_make(struct ms_evictions_occupants *occupants,
				 const struct ms_evictions *evictions, uint32_t level, size_t most,
				 double least);
void ms_evictions_occupants_free(struct ms_evictions_occupants *occupants);

/* What one data has of a level; NULL: nothing, at any time. */
const struct ms_run_occupancy *ms_evictions_occupancy_of(const struct ms_run *run, uint32_t level,
							 uint32_t data);

#endif
