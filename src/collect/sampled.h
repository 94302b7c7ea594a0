/*
 * collect/sampled.h - a run of which only windows, or some sets, were seen: estimates for the whole
 * program, and what is needed to tell how good they are.
 */
#ifndef MS_COLLECT_SAMPLED_H
#define MS_COLLECT_SAMPLED_H

#include "collect/gaps.h"
#include "engine/windows/windows.h"
#include "run/run.h"
#include "stream/sampler.h"
#include "stream/wire.h"

struct collector;
struct naming;

/* What windows of a stratum tell, added up; a figure that one of them does not know is
 * MS_WIRE_NOT_KNOWN. */
struct sampled_sums {
	struct ms_wire_window in;
	struct ms_wire_window out;
	/* References of `out` that were counted, where not all of them were; and whether in front
	 * of the last one they were. */
	uint64_t counted;
	bool counts;
	MS_VEC(struct gap) gaps; /* in which not all of them were */
	bool open;               /* the last window has not come to its end */
	uint64_t window, period; /* as it was told when it began; 0: as at the start */
};

/*
 * Threads in windows: how many references were made while all others, that had run in some window
 * before and not ended since, were in none. Natively that may be chance: another program had their
 * processor, or they had done their part sooner.
 */
struct sampled_together {
	MS_VEC(struct sampled_thread) threads; /* by number */
	double alone, references;
};

struct sampled_thread {
	uint64_t clock; /* instructions, when it was told last ... */
	uint64_t in;    /* ... and in this window */
	bool runs;
};

/* The thread has executed so many instructions; it has ended; the window has. */
void ms_together_clock(struct sampled_together *together, uint32_t thread, uint64_t instructions);
void ms_together_end(struct sampled_together *together, uint32_t thread);
void ms_together_close(struct sampled_together *together, uint64_t references);

void ms_sampled_add(struct ms_wire_window *sum, const struct ms_wire_window *more);

/* The parts that windows of a stratum go to: all of them where nothing is changed on the way. */
struct sampled_parts {
	uint32_t first, n;
};

struct sampled_parts ms_sampled_parts(const struct ms_sampling *sampling, uint32_t stratum);

/* How many times what was seen the whole program is. */
struct sampled_scale {
	double counts;
	double references; /* that were seen: by sets, these are not in proportion */
	double time;       /* of instructions */
	double total;      /* references of the program ... */
	double low, high;  /* ... which are between these */
	bool exact;
	/* Windows that were drawn alike: */
	unsigned strata;
	struct sampled_stratum {
		struct sampled_parts parts;
		uint64_t window;
		uint64_t seen; /* references */
		double total, low, high, counts, time;
	} stratum[MS_WIRE_STRATA_MOST];
	double by_part[MS_ENGINE_WINDOWS_PARTS]; /* counts, of the part's stratum */
};

/* References of the program while windows were so, of which so many were seen. */
double ms_sampled_total(const struct sampled_sums *sums, const struct ms_sampling *sampling,
			double seen);

/* Where some sets are seen all the time, and nobody tells how many references there were: counts
 * them by the exits that were taken. */
void ms_sampled_made(struct collector *collector, const struct ms_engine *engine);

/* sampled: what the engine has seen. */
struct sampled_scale ms_sampled_scale(const struct collector *collector,
				      const struct ms_engine_windows_totals *sampled,
				      uint64_t seen);

/*
 * Where executions between windows were counted (collect/counted.c), by site: how many times more
 * references it has than windows say, or fewer. NULL: nobody knows. weights: of each cell's
 * references, as strata differ.
 */
double *ms_counted_sites(const struct collector *collector, const struct ms_engine *engine,
			 const struct ms_engine_totals *totals, const double *weights,
			 double scale);

/* Whether all of the program is not to be seen; NULL: it is. */
static inline bool ms_sampling_has_windows(const struct ms_sampling *sampling)
{
	return sampling != NULL && sampling->ratio < 1;
}
/* Whether some sets are seen all the time: then each miss counts as many times as there are sets
 * for one that is seen, whatever the number of references that were seen. */
static inline bool ms_sampling_is_by_sets(const struct ms_sampling *sampling)
{
	return sampling->ratio >= 1 && sampling->sets.every > 1;
}
/* Then (collect/sets.c), by the binder's sites: references in the whole program. */
double *ms_sets_sites(const struct collector *collector, const struct ms_engine *engine,
		      const struct ms_engine_totals *totals, const struct sampled_scale *scale);
/* And what each reference and each miss that was seen of a cell stands for, in those that others
 * do. The references of sites are changed, so that they are no fewer than their misses. */
struct sets_weighing {
	const struct ms_engine_totals *totals; /* as they were seen */
	const uint32_t *codes; /* by site: the function that it is in, and whether it reads */
	size_t sites;
	unsigned levels;
	double scale, every;
	double *made;    /* by site */
	double *cells;   /* by cell ... */
	double *missing; /* ... and level */
};
void ms_sets_weigh(const struct sets_weighing *of);
/* Where they are seen in windows only: the misses of references that cross lines; of the above,
 * totals, sites, levels and missing. */
void ms_sets_once(const struct sets_weighing *of);
/* Then those that missed have become references of their own: they are no longer others'. */
void ms_sets_take_back(struct ms_engine_totals *totals);
/* Cells for those of which none was seen: their data is not known. All have the total then. */
void ms_sets_unseen(struct ms_engine_totals *totals, const double *made, size_t sites,
		    double total);

/* What code has met of a data's lines, in one cache (collect/firsts.c). */
struct first_uses {
	size_t at;     /* of the cell and level: whoever asks knows */
	size_t group;  /* of the data and cache */
	double unseen; /* misses of lines that were never seen before ... */
	double weight; /* ... and what each of them counts */
	/* Lines that were not used in their window before, and not known to miss; and those of them
	 * that an earlier window has met. */
	double asked, seen;
	double again;
	double share; /* of the unseen ones: so much of them is first uses */
};

/* Lines of which some were seen, and these met so often (a line that was not used in this window
 * yet), as one of so many references was in a window. */
double ms_sampled_lines(double seen, double met, double scale);

/* lines: by group, what first uses are at most, weighted; it becomes what they are at most. Puts
 * uses in order, group by group. */
void ms_sampled_firsts(struct first_uses *uses, size_t n, double scale, double *lines);

/* Accesses of a cache to lines that were not used in their window yet, but in an earlier one, and
 * of which the window does not tell whether they hit; weighted. */
struct seen_before {
	double accesses;
	double evicted; /* of these, such that the simulated cache had evicted the line */
};

/* collect/evicted_share.c: of lines that were used between windows only, the share that a cache of
 * so many frames has evicted, where the program has used so many lines. */
double ms_sampled_evicted_share(const struct seen_before *seen, double frames, double used);

/* The totals become estimates; codes: of the binder's sites, where some sets are seen all the time,
 * else NULL. What was no more than something else stays so, and what added up to something else
 * still does. */
void ms_sampled_stretch(struct collector *collector, size_t machine,
			const struct ms_engine_windows_totals *sampled,
			const struct sampled_scale *scale, const uint32_t *codes,
			struct ms_engine_totals *totals);

/* n times the scale, to the nearest. */
uint64_t ms_sampled_times(uint64_t n, double scale);

/* Fills in the run's rows of what was sampled: first the counts, which need no names, then the
 * rest.
 */
void ms_result_sampled_counts(const struct collector *collector,
			      const struct ms_engine_windows_totals *sampled, struct ms_run *run);
void ms_result_sampled(struct collector *collector, const struct ms_engine_windows_totals *sampled,
		       const struct sampled_scale *scale, uint64_t seen, struct ms_run *run,
		       struct naming *naming);

#endif
