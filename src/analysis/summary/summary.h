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
#include "analysis/summary/counts.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "run/run.h"

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

/* Compute cycles of a line on a processor, each divided by the number of busy processors. */
double ms_summary_line_weighted(const struct ms_run *run, const struct ms_run_line_time *time);

/* Misses of an entry at a level; 0 where there is no such level. */
uint64_t ms_summary_entry_misses(const struct ms_summary *summary,
				 const struct ms_summary_entry *entry, size_t level);
/* The part of the stall time that grouped heap data has (data.grouped). */
double ms_summary_grouped_share(const struct ms_summary *summary);
/* By level, then the most first. */
void ms_summary_sort_evictors(const struct ms_run *run, struct ms_summary_evictor *at, size_t n);
/*
 * split_entries.c: splits the measured stall of all entries of a joined run by simulated causes;
 * reason_of: of each data of the run, its entry of `reasons`, or MS_NONE. Entries are in the order
 * of the run.
 */
void ms_summary_split_entries(struct ms_summary *summary, const uint32_t *reason_of);
/* For sorting: the order described above. */
int ms_summary_compare_entries(const struct ms_summary *summary, const struct ms_summary_entry *a,
			       const struct ms_summary_entry *b);

#endif
