/*
 * analysis/confidence_intervals/intervals.h - computes the intervals of a sampled run's figures,
 * for many entries at once.
 *
 * With one processor, each interval is the run's figure, widened by the variation between the parts
 * of the windows and by the error of the estimate for unknown references (unknown_refs.h). With
 * several processors, and where sets are sampled in windows, the lower bound assumes that all
 * unknown references hit, and the upper bound that all miss; each bound is widened by the variation
 * between parts. In the share of an entry, the unknown references of all other entries count
 * against it. Miss rates are the same as those of miss_rate_estimators.h.
 *
 * Causes: a line that no window has seen before may have been used between windows. So the upper
 * bound of first references is the weighted number of these, or the number of lines of the data.
 * For the whole run, the lower bound is the number that was seen, with weight 1. For an entry it is
 * 0, because other entries may have used the lines before. A miss that is neither a first reference
 * nor an invalidation is a replacement.
 *
 * Compute cycles: derived from references of the same lines (compute_cycles.c).
 *
 * Not included: evictions, for which no parts are stored (see evictions.h), and occupancy.
 */
#ifndef MS_ANALYSIS_CONFIDENCE_INTERVALS_INTERVALS_H
#define MS_ANALYSIS_CONFIDENCE_INTERVALS_INTERVALS_H

#include "analysis/summary/summary.h"
#include "base/map.h"

/* A 95 % interval. NaN: not known. */
struct ms_intervals_bounds {
	double low;
	double high;
};

struct ms_intervals_level {
	struct ms_intervals_bounds misses; /* their number; where the run's references are an
					    * estimate, with that */
	struct ms_intervals_bounds rate;   /* for each reference of the entry */
	struct ms_intervals_bounds share;  /* of the misses of the run */
	struct ms_intervals_bounds causes[MS_CAUSES]; /* numbers, as misses */
	/* Misses if all unknown references hit, or all miss; without the variation of parts. */
	struct ms_intervals_bounds seen;
	/* Likewise, widened by the variation of parts. */
	struct ms_intervals_bounds extreme;
	double stale; /* unknown references that miss: their victims are from earlier windows */
};

/* Of an entry's reads, or of its writes. */
struct ms_intervals_rw {
	struct ms_intervals_bounds references; /* share in those of the run */
	struct ms_intervals_bounds cycles;     /* of stall */
	struct ms_intervals_bounds average;    /* likewise for each of them */
	struct ms_intervals_bounds *misses;    /* their number, by level; NULL: none in windows */
};

/* Stall with several processors: the answers are assumed to be as clustered as the misses
 * (design_effect.h). */
struct ms_intervals_entry {
	struct ms_intervals_bounds references; /* share in those of the run */
	struct ms_intervals_bounds stall;      /* likewise */
	struct ms_intervals_bounds cycles;     /* of stall; with the run's references, as above */
	struct ms_intervals_bounds average;    /* likewise for each reference of the entry */
	struct ms_intervals_bounds compute;    /* cycles, as those of stall */
	bool computes;                         /* data and bins do not: it is none */
	struct ms_intervals_level *levels;     /* one per level of the run */
	struct ms_intervals_rw rw[MS_RW];      /* after ms_intervals_split_rw() */
};

struct ms_intervals {
	struct ms_arena arena;
	struct ms_map entries; /* key -> index */
	MS_VEC(struct ms_intervals_entry) at;
};

#define MS_NO_KEY UINT64_MAX

/*
 * keys: for each cell of the run, the entry that it belongs to; MS_NO_KEY: none. kind: whether
 * entries are data, bins, or code. A run that was not sampled has no intervals.
 */
void ms_intervals_make(struct ms_intervals *intervals, const struct ms_summary *whole,
		       const uint64_t *keys, enum ms_summary_entry_kind kind);
/*
 * Of all entries of a kind: code, data, bins, lines (of the run), processors, or all cells as one
 * (TOTAL). selection NULL: all cells.
 */
void ms_intervals_by_kind(struct ms_intervals *intervals, const struct ms_summary *whole,
			  enum ms_summary_entry_kind kind,
			  const struct ms_summary_selection *selection);
/* Of all code, what it did on one of several processors; the key is the code. */
void ms_intervals_on_processor(struct ms_intervals *intervals, const struct ms_summary *whole,
			       uint32_t processor);
/* Adds those of reads and writes alone to what ms_intervals_by_kind() made of the same. */
void ms_intervals_split_rw(struct ms_intervals *intervals, const struct ms_summary *whole,
			   enum ms_summary_entry_kind kind,
			   const struct ms_summary_selection *selection);
/* The same to what ms_intervals_make() made of these keys. */
void ms_intervals_split_rw_keys(struct ms_intervals *intervals, const struct ms_summary *whole,
				const uint64_t *keys, enum ms_summary_entry_kind kind);
/* Adds compute cycles to what ms_intervals_make() made; lines: of each line of the run, which entry
 * its instructions are of. */
void ms_intervals_add_compute(struct ms_intervals *intervals, const struct ms_run *run,
			      const uint64_t *lines);
/* All entries of a kind but the n that are shown, as one: the key 0. */
void ms_intervals_rest(struct ms_intervals *intervals, const struct ms_summary *whole,
		       enum ms_summary_entry_kind kind,
		       const struct ms_summary_selection *selection,
		       const struct ms_summary_entry *shown, size_t n);
void ms_intervals_free(struct ms_intervals *intervals);

/* NULL: there are none. */
const struct ms_intervals_entry *ms_intervals_at(const struct ms_intervals *intervals,
						 uint64_t key);
/* Likewise, after ms_intervals_by_kind(). */
const struct ms_intervals_entry *ms_intervals_of(const struct ms_intervals *intervals,
						 const struct ms_summary_entry *entry);

/* Whether the instructions of a sampled run were counted, and are no estimate. */
bool ms_intervals_compute_is_known(const struct ms_run *run);
/* Compute and stall cycles together: of both at least, and at most. */
struct ms_intervals_bounds ms_intervals_time(const struct ms_intervals_entry *entry);

/* Converts a share of the references to a number; where the run's references were not counted, with
 * the error of their number. The run must be a sampled one. */
struct ms_intervals_bounds ms_intervals_references(const struct ms_summary *whole,
						   struct ms_intervals_bounds share);

/*
 * The largest number of lines of a data structure at one time, times the caches of the level;
 * infinite: not known.
 */
double ms_intervals_lines(const struct ms_run *run, uint32_t data, uint32_t level);

#endif
