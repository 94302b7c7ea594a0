/*
 * analysis/summary.h - a run added up: in all, by code, by data, by line, and by bin (code x data).
 *
 * Everything is sorted by stall cycles, the most first; then by misses of the first level,
 * references, and name, so that the order is always the same.
 */
#ifndef MS_ANALYSIS_SUMMARY_H
#define MS_ANALYSIS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/cost.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "store/run.h"

enum ms_rw { MS_READS, MS_WRITES, MS_RW };

struct ms_level_counts {
	uint64_t misses[MS_RW];
	uint64_t causes[MS_CAUSES];
	uint64_t covered; /* of the misses, where the level has a prefetcher */
};

struct ms_counts {
	uint64_t references[MS_RW];
	uint64_t stall[MS_RW];
	uint64_t instructions;          /* of code and lines; data executes none */
	struct ms_level_counts *levels; /* one per level of the run */
};

/* Replacement misses at a level that references to `data` caused. */
struct ms_replacer {
	uint32_t level;
	uint32_t data;
	uint64_t count;
};

enum ms_entry_kind {
	MS_ENTRY_TOTAL = 1,
	MS_ENTRY_CODE = 2,
	MS_ENTRY_DATA = 4,
	MS_ENTRY_LINE = 8,
	MS_ENTRY_BIN = 16,
	MS_ENTRY_REASON = 32, /* data that could not be attributed, by the reason why */
};

struct ms_entry {
	enum ms_entry_kind kind;
	const char *name; /* of a bin: "code / data" */
	uint32_t code;    /* index into the run; MS_NONE where the entry has none */
	uint32_t data;
	uint32_t line;
	struct ms_counts counts;
	MS_VEC(struct ms_replacer) replaced_by; /* bins only: by level, the most first */
};

struct ms_entries {
	MS_VEC(struct ms_entry) at;
};

struct ms_summary {
	const struct ms_run *run; /* must outlive the summary */
	struct ms_cost cost;
	struct ms_arena arena;
	struct ms_entry total;
	struct ms_entries code;
	struct ms_entries data;
	struct ms_entries lines;
	struct ms_entries bins;
	struct ms_entries reasons;
};

/* Which cells are added up; either may be NULL for "all"; else one flag per code, per data of the
 * run. */
struct ms_selection {
	const bool *code;
	const bool *data;
};

/*
 * Adds up the chosen cells of a run (selection NULL: all) and lists everything that the run names;
 * of a selection, only what was chosen by name or has references in it. The instructions of chosen
 * code count whole, whatever data is chosen. latency is what ms_cost_init() takes.
 */
int ms_summary_make(struct ms_summary *summary, const struct ms_run *run,
		    const struct ms_selection *selection, const char *latency, struct ms_err *err);
void ms_summary_free(struct ms_summary *summary);

static inline uint64_t ms_both(const uint64_t counts[MS_RW])
{
	return counts[MS_READS] + counts[MS_WRITES];
}

/* Misses of an entry at a level; 0 where there is no such level. */
uint64_t ms_entry_misses(const struct ms_summary *summary, const struct ms_entry *entry,
			 size_t level);
/* By level, then the most first. */
void ms_replacers_sort(const struct ms_run *run, struct ms_replacer *at, size_t n);
/* For sorting: the order described above. */
int ms_entry_compare(const struct ms_summary *summary, const struct ms_entry *a,
		     const struct ms_entry *b);

/* Adds all counts of one entry to those of another. */
void ms_counts_add(struct ms_counts *to, const struct ms_counts *from, size_t levels);

#endif
