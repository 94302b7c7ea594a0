/*
 * analysis/summary/summary.h - a run added up: in all, by code, by data, by line, and by bin (code
 * x data).
 *
 * Everything is sorted by stall cycles, the most first; then by misses of the first level,
 * references, and name, so that the order is always the same.
 */
#ifndef MS_ANALYSIS_SUMMARY_SUMMARY_H
#define MS_ANALYSIS_SUMMARY_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/summary/cost.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "run/run.h"

enum ms_summary_rw { MS_READS, MS_WRITES, MS_RW };

struct ms_summary_level_counts {
	uint64_t misses[MS_RW];
	uint64_t causes[MS_CAUSES];
	uint64_t covered; /* of the misses, where the level has a prefetcher */
	/* Of several processors: */
	uint64_t falsely; /* of the invalidated */
	uint64_t peer;    /* of the misses: another processor's cache answered */
	uint64_t remote;  /* of the misses: another node's memory answered */
	uint64_t write_backs;
};

/* Of a run sampled on the real machine: how many samples, and what intervals need. */
struct ms_summary_samples {
	uint64_t n;
	double events_squares;
	double latency_squares;
};

/* Of a run sampled on the real machine analysis/measured/measured.h says what the first three mean.
 */
struct ms_summary_counts {
	bool used; /* there are references; of runs that do not count them all, misses */
	uint64_t references[MS_RW];
	uint64_t stall[MS_RW];
	uint64_t instructions; /* of code, lines and processors; data executes none */
	struct ms_summary_samples samples;
	uint64_t upgrades; /* stores that hit, but made others give the line up */
	/* Compute and stall cycles, each divided by the processors that were busy then. */
	double normalised;
	struct ms_summary_level_counts *levels; /* one per level of the run */
};

/* Invalidation misses, once a reference, by what had taken the line away. */
struct ms_summary_invalidator {
	uint32_t processor;
	uint32_t code;
	uint32_t data;
	uint64_t truly;
	uint64_t falsely;
};

/* Replacement misses at a level that references to `data` caused. */
struct ms_summary_evictor {
	uint32_t level;
	uint32_t data;
	uint64_t count;
};

enum ms_summary_entry_kind {
	MS_ENTRY_TOTAL = 1,
	MS_ENTRY_CODE = 2,
	MS_ENTRY_DATA = 4,
	MS_ENTRY_LINE = 8,
	MS_ENTRY_BIN = 16,
	MS_ENTRY_REASON = 32, /* data that could not be attributed, by the reason why */
	MS_ENTRY_PROCESSOR = 64,
};

struct ms_summary_entry {
	enum ms_summary_entry_kind kind;
	const char *name; /* of a bin: "code / data" */
	uint32_t code;    /* index into the run; MS_NONE where the entry has none */
	uint32_t data;
	uint32_t line;
	uint32_t processor;
	struct ms_summary_counts counts;
	MS_VEC(struct ms_summary_evictor) replaced_by; /* bins only: by level, the most first */
};

struct ms_summary_entries {
	MS_VEC(struct ms_summary_entry) at;
	bool are_data; /* else they are code, or neither; also set where there are none */
};

struct ms_summary {
	const struct ms_run *run; /* must outlive the summary */
	struct ms_summary_cost cost;
	struct ms_arena arena;
	struct ms_summary_entry total;
	struct ms_summary_entries code;
	struct ms_summary_entries data;
	struct ms_summary_entries lines;
	struct ms_summary_entries bins;
	struct ms_summary_entries reasons;
	struct ms_summary_entries processors; /* in their order */
};

/* The cells that are added up: one flag for each code, and for each data of the run; NULL: all. */
struct ms_summary_selection {
	const bool *code;
	const bool *data;
};

/*
 * Adds up the selected cells of a run (selection NULL: all) and lists everything that the run
 * names; of a selection, only what was selected by name or has references in it. All instructions
 * of selected code count, whatever data is selected. The data that represents references which were
 * not looked up (MS_DATA_ANY) is listed only where nothing stalls. latency: as for
 * ms_summary_cost_init().
 */
int ms_summary_make(struct ms_summary *summary, const struct ms_run *run,
		    const struct ms_summary_selection *selection, const char *latency,
		    struct ms_err *err);
void ms_summary_free(struct ms_summary *summary);

static inline uint64_t ms_summary_rw_sum(const uint64_t counts[MS_RW])
{
	return counts[MS_READS] + counts[MS_WRITES];
}

/*
 * Whether references of the entry are known. Where only misses were looked up (run->misses_only) a
 * selection by data has none, nor has any data or bin; code, lines and all of a run do.
 */
static inline bool ms_summary_knows_references(const struct ms_run *run,
					       const struct ms_summary_counts *counts)
{
	return !run->misses_only || ms_summary_rw_sum(counts->references) > 0 || !counts->used;
}

/* References that this level answered (not the first); levels: the memory near by did. */
uint64_t ms_summary_answered(const struct ms_summary_counts *counts, size_t levels, size_t level);
/* Misses of an entry at a level; 0 where there is no such level. */
uint64_t ms_summary_entry_misses(const struct ms_summary *summary,
				 const struct ms_summary_entry *entry, size_t level);
/* By level, then the most first. */
void ms_summary_sort_evictors(const struct ms_run *run, struct ms_summary_evictor *at, size_t n);
/* For sorting: the order described above. */
int ms_summary_compare_entries(const struct ms_summary *summary, const struct ms_summary_entry *a,
			       const struct ms_summary_entry *b);

/* counts.c: a cell, what it missed (n rows) and what that costs. */
struct ms_summary_cell_counts {
	const struct ms_run_cell *cell;
	enum ms_summary_rw rw;
	uint64_t references;
	const struct ms_run_miss *misses;
	size_t n;
	struct ms_summary_stall stall;
	struct ms_summary_samples samples;
};

/* The counts of cell i; *at: the index of its first miss (or sample), which is advanced past them.
 */
struct ms_summary_cell_counts ms_summary_cell_counts(const struct ms_run *run,
						     const struct ms_summary_cost *cost, size_t i,
						     size_t *at);
void ms_summary_add_cell(struct ms_summary_counts *to, const struct ms_summary_cell_counts *cell);
/* How many misses, or samples, the cells of the run have: where a walk over all of them ends. */
size_t ms_summary_cell_rows(const struct ms_run *run);
/* Whether a cell is of this code and data, a flag for each of the run; NULL: of any. */
bool ms_summary_cell_is_selected(const struct ms_run *run, uint32_t cell, const bool *code,
				 const bool *data);
/* Adds all counts of one entry to those of another. */
void ms_summary_add_counts(struct ms_summary_counts *to, const struct ms_summary_counts *from,
			   size_t levels);

#endif
