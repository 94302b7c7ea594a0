/*
 * analysis/intervals.h - how far the figures of a sampled run may be off, of many entries at once.
 *
 * Each interval is the run's figure, widened by what the parts of the windows differ by and, of one
 * processor, by how far the estimate for unknown references may be off (unknown_refs.h). Of several
 * processors, and where sets are sampled in windows, it is from all unknown references hitting to
 * all of them missing, each end widened by what parts differ by; in the share of an entry those of
 * all other entries count against it. Miss rates are the same as those of estimate.h.
 *
 * Causes: a line that no window has seen before may have been used between windows. So first
 * references are at most all of these, each counted for what it stands for, or all lines that the
 * data has. Of all of the run they are at least those that were seen, once each; of an entry there
 * may be none, as others may have used the lines before. What is neither first nor taken away by
 * another processor is a replacement.
 *
 * Compute cycles: as references of the same lines (intervals_compute.c).
 *
 * Left out: evictions, of which no parts are kept (evictions.h has them), and occupancy.
 */
#ifndef MS_ANALYSIS_INTERVALS_H
#define MS_ANALYSIS_INTERVALS_H

#include "analysis/summary.h"
#include "base/map.h"

/* In 95 of 100 cases the figure lies between these. NaN: nothing can be said. */
struct ms_bounds {
	double low;
	double high;
};

struct ms_level_intervals {
	struct ms_bounds misses; /* their number; where the run's references are an estimate, with
				  * that */
	struct ms_bounds rate;   /* for each reference of the entry */
	struct ms_bounds share;  /* of the misses of the run */
	struct ms_bounds causes[MS_CAUSES]; /* numbers, as misses */
	/* Misses if all that are unknown hit, or all miss; not widened by what parts differ by. */
	struct ms_bounds seen;
	/* Misses if all that are unknown hit, or all miss; widened. */
	struct ms_bounds extreme;
	double stale; /* of the unknown ones, those that miss: earlier windows have left victims */
};

/* Of an entry's reads, or of its writes. */
struct ms_rw_intervals {
	struct ms_bounds references; /* share in those of the run */
	struct ms_bounds cycles;     /* of stall */
	struct ms_bounds average;    /* likewise for each of them */
	struct ms_bounds *misses;    /* their number, by level; NULL: windows have met none */
};

/* Stall of several processors: who answered is taken to be as bunched as the misses are (effect.h).
 */
struct ms_entry_intervals {
	struct ms_bounds references;       /* share in those of the run */
	struct ms_bounds stall;            /* likewise */
	struct ms_bounds cycles;           /* of stall; with the run's references, as above */
	struct ms_bounds average;          /* likewise for each reference of the entry */
	struct ms_bounds compute;          /* cycles, as those of stall */
	bool computes;                     /* data and bins do not: it is none */
	struct ms_level_intervals *levels; /* one per level of the run */
	struct ms_rw_intervals rw[MS_RW];  /* after ms_intervals_split() */
};

struct ms_intervals {
	struct ms_arena arena;
	struct ms_map entries; /* key -> index */
	MS_VEC(struct ms_entry_intervals) at;
};

#define MS_NO_KEY UINT64_MAX

/*
 * keys: of each cell of the run, which entry it belongs to; MS_NO_KEY: to none. kind: what they
 * tell apart, data, data in some code (a bin), or only code. Of a run that was not sampled there
 * are no intervals.
 */
void ms_intervals_make(struct ms_intervals *intervals, const struct ms_summary *whole,
		       const uint64_t *keys, enum ms_entry_kind kind);
/*
 * Of all entries of a kind: code, data, bins, lines (of the run), processors, or all cells as one
 * (TOTAL). selection NULL: all cells.
 */
void ms_intervals_by(struct ms_intervals *intervals, const struct ms_summary *whole,
		     enum ms_entry_kind kind, const struct ms_selection *selection);
/* Of all code, what it did on one of several processors; the key is the code. */
void ms_intervals_on(struct ms_intervals *intervals, const struct ms_summary *whole,
		     uint32_t processor);
/* Adds those of reads and writes alone to what ms_intervals_by() made of the same. */
void ms_intervals_split(struct ms_intervals *intervals, const struct ms_summary *whole,
			enum ms_entry_kind kind, const struct ms_selection *selection);
/* The same to what ms_intervals_make() made of these keys. */
void ms_intervals_split_keys(struct ms_intervals *intervals, const struct ms_summary *whole,
			     const uint64_t *keys, enum ms_entry_kind kind);
/* Adds compute cycles to what ms_intervals_make() made; lines: of each line of the run, which entry
 * its instructions are of. */
void ms_intervals_computed(struct ms_intervals *intervals, const struct ms_run *run,
			   const uint64_t *lines);
/* All entries of a kind but the n that are shown, as one: the key 0. */
void ms_intervals_rest(struct ms_intervals *intervals, const struct ms_summary *whole,
		       enum ms_entry_kind kind, const struct ms_selection *selection,
		       const struct ms_entry *shown, size_t n);
void ms_intervals_free(struct ms_intervals *intervals);

/* NULL: there are none. */
const struct ms_entry_intervals *ms_intervals_at(const struct ms_intervals *intervals,
						 uint64_t key);
/* Likewise, after ms_intervals_by(). */
const struct ms_entry_intervals *ms_intervals_of(const struct ms_intervals *intervals,
						 const struct ms_entry *entry);

/* Whether the instructions of a sampled run were counted, and are no estimate. */
bool ms_compute_is_known(const struct ms_run *run);
/* Compute and stall cycles together: of both at least, and at most. */
struct ms_bounds ms_intervals_time(const struct ms_entry_intervals *entry);

/* A number of references, of their share: where nobody has counted the run's, with how far these
 * may be off. The run must be a sampled one. */
struct ms_bounds ms_intervals_references(const struct ms_summary *whole, struct ms_bounds share);

/*
 * Lines of a level that a data ever had at one time, in as many caches as the level has; infinite:
 * nobody knows.
 */
double ms_intervals_lines(const struct ms_run *run, uint32_t data, uint32_t level);

#endif
