/*
 * collect/sampled.h - extrapolates a run of which only windows, or some cache sets, were simulated:
 * estimates for the whole program, and the figures that their confidence intervals need.
 */
#ifndef MS_COLLECT_SAMPLED_H
#define MS_COLLECT_SAMPLED_H

#include "collect/gaps.h"
#include "engine/windows/windows.h"
#include "run/run.h"
#include "stream/window_sampler.h"
#include "wire/wire.h"

struct collector;
struct naming;

/* Sums over the windows of a stratum; a figure that one of them lacks is MS_WIRE_NOT_KNOWN. */
struct sampled_sums {
	struct ms_wire_window in;
	struct ms_wire_window out;
	/* References of `out` that were counted, where not all were; and whether those before the
	 * last window were. */
	uint64_t counted;
	bool counts;
	MS_VEC(struct gap) gaps; /* whose references were not all counted */
	bool open;               /* the last window has not ended */
	uint64_t window, period; /* as recorded when the stratum began; 0: as at the start */
};

/*
 * Concurrency in windows: how many references a thread made while no other thread was in a window.
 * Only threads count that have run in an earlier window and have not ended since. With the native
 * tracer this may be chance: another program ran on their processor, or they finished sooner.
 */
struct sampled_together {
	MS_VEC(struct sampled_thread) threads; /* by number */
	double alone, references;
};

struct sampled_thread {
	uint64_t clock; /* instructions at its last clock record ... */
	uint64_t in;    /* ... and in this window */
	bool runs;
};

/* Events: the thread has executed so many instructions; it has ended; the window has closed. */
void ms_together_clock(struct sampled_together *together, uint32_t thread, uint64_t instructions);
void ms_together_end(struct sampled_together *together, uint32_t thread);
void ms_together_close(struct sampled_together *together, uint64_t references);

void ms_sampled_add(struct ms_wire_window *sum, const struct ms_wire_window *more);

/* The parts that windows of a stratum are added to: all parts where the sampling never changes. */
struct sampled_parts {
	uint32_t first, n;
};

struct sampled_parts ms_sampled_parts(const struct ms_stream_sampling *sampling, uint32_t stratum);

/* The factors by which the simulated part is extrapolated to the whole program. */
struct sampled_scale {
	double counts;
	double references; /* of simulated references: sampled sets are not proportional to them */
	double time;       /* of instructions */
	double total;      /* references of the program ... */
	double low, high;  /* ... and their interval */
	bool exact;
	/* Windows that were drawn at the same density: */
	unsigned strata;
	struct sampled_stratum {
		struct sampled_parts parts;
		uint64_t window;
		uint64_t seen; /* simulated references */
		double total, low, high, counts, time;
	} stratum[MS_WIRE_STRATA_MOST];
	double by_part[MS_ENGINE_WINDOWS_PARTS]; /* `counts` of the part's stratum */
};

/* References of the program in a stratum, of which `seen` were simulated. */
double ms_sampled_total(const struct sampled_sums *sums, const struct ms_stream_sampling *sampling,
			double seen);

/* With sampled sets, where the front-end does not report the number of references: counts them by
 * the block exits that were taken. */
void ms_sampled_made(struct collector *collector, const struct ms_engine *engine);

/* sampled: what the engine has simulated. */
struct sampled_scale ms_sampled_scale(const struct collector *collector,
				      const struct ms_engine_windows_totals *sampled,
				      uint64_t seen);

/*
 * Where executions between windows were counted (collect/counted.c): by site, the ratio of its
 * references to the number that windows predict. NULL: not known. weights: of each cell's
 * references, because the factors of strata differ.
 */
double *ms_counted_sites(const struct collector *collector, const struct ms_engine *engine,
			 const struct ms_engine_totals *totals, const double *weights,
			 double scale);

/* Whether only windows of the program are simulated; sampling NULL: all of it is. */
static inline bool ms_sampling_has_windows(const struct ms_stream_sampling *sampling)
{
	return sampling != NULL && sampling->ratio < 1;
}
/* Whether sampled sets are simulated during the whole run. Then a miss is multiplied by the ratio
 * of all sets to sampled sets, independently of the number of simulated references. */
static inline bool ms_sampling_is_by_sets(const struct ms_stream_sampling *sampling)
{
	return sampling->ratio >= 1 && sampling->sets.every > 1;
}
/* With sampled sets (collect/sets.c): references in the whole program, by the binder's sites. */
double *ms_sets_sites(const struct collector *collector, const struct ms_engine *engine,
		      const struct ms_engine_totals *totals, const struct sampled_scale *scale);
/* With sampled sets: the weight of each simulated reference and each simulated miss of a cell,
 * relative to the usual factor. Changes the references of sites, so that none has more misses. */
struct sets_weighing {
	const struct ms_engine_totals *totals; /* as simulated */
	const uint32_t *codes;                 /* by site: its function, and whether it reads */
	size_t sites;
	unsigned levels;
	double scale, every;
	double *made;    /* references, by site */
	double *cells;   /* weight of references, by cell */
	double *missing; /* weight of misses, by cell and level */
};
void ms_sets_weigh(const struct sets_weighing *of);
/* With sampled sets in windows: weighs the misses of references that cross lines. Uses only totals,
 * sites, levels and missing. */
void ms_sets_once(const struct sets_weighing *of);
/* Line-crossing references that missed have cells of their own: subtracts them from the cell of the
 * same site and data. */
void ms_sets_take_back(struct ms_engine_totals *totals);
/* Adds cells for sites without a simulated reference; their data is not known. Then adjusts the
 * cells so that their sum is `total`. */
void ms_sets_unseen(struct ms_engine_totals *totals, const double *made, size_t sites,
		    double total);

/* Accesses of code to the lines of a data structure, in one cache (collect/firsts.c). */
struct first_uses {
	size_t at;     /* index of the cell and level; its meaning is the caller's */
	size_t group;  /* of the data and cache */
	double unseen; /* misses on lines that no window has seen before ... */
	double weight; /* ... and the weight of each */
	/* Accesses to lines that were not used in their window before, and that are not known to
	 * miss; and those of them to lines that an earlier window has seen. */
	double asked, seen;
	double again;
	double share; /* result: the share of the unseen ones that are first uses */
};

/* Estimates the number of lines of which windows have seen `seen`, in `met` accesses (the first to
 * a line in each window), where one of `scale` references was in a window. */
double ms_sampled_lines(double seen, double met, double scale);

/* lines: by group, an upper bound of the first uses, weighted; it is lowered to the estimate. Sorts
 * uses by group. */
void ms_sampled_firsts(struct first_uses *uses, size_t n, double scale, double *lines);

/* Unknown references of a cache to lines that an earlier window has seen; weighted. */
struct seen_before {
	double accesses;
	double evicted; /* those of them whose line the simulated cache had evicted */
};

/* collect/evicted_share.c: the share of the lines used only between windows that a cache of
 * `frames` lines has evicted, where the program has used `used` lines. */
double ms_sampled_evicted_share(const struct seen_before *seen, double frames, double used);

/* Extrapolates the totals. codes: of the binder's sites, with sampled sets during the whole run,
 * else NULL. Inequalities and sums that hold between the totals still hold between the estimates.
 */
void ms_sampled_stretch(struct collector *collector, size_t machine,
			const struct ms_engine_windows_totals *sampled,
			const struct sampled_scale *scale, const uint32_t *codes,
			struct ms_engine_totals *totals);

/* n times the scale, rounded. */
uint64_t ms_sampled_times(uint64_t n, double scale);

/* Fill in the run's rows about sampling: first the counts, which need no names, then the rest. */
void ms_result_sampled_counts(const struct collector *collector,
			      const struct ms_engine_windows_totals *sampled, struct ms_run *run);
void ms_result_sampled(struct collector *collector, const struct ms_engine_windows_totals *sampled,
		       const struct sampled_scale *scale, uint64_t seen, struct ms_run *run,
		       struct naming *naming);

#endif
