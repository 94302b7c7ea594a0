/*
 * analysis/sharing/sharing.h - cache lines that processors invalidate in each other's caches: which
 * processors miss and write, which bytes, which code, and the cost.
 *
 * A miss is false sharing when no other processor had written the bytes that it accesses. Cost: a
 * miss that another processor's cache or remote memory answered has their latency. For other misses
 * only their cell is known; they have the mean cost of the cell's other misses.
 *
 * Lines, data and pairs of source lines are sorted by the stall cycles of false sharing, then by
 * all stall cycles: what moving data can save is first. For this order, stall cycles of less than a
 * twentieth of the cost of all sharing are ignored.
 */
#ifndef MS_ANALYSIS_SHARING_SHARING_H
#define MS_ANALYSIS_SHARING_SHARING_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/sharing/processor_sets.h"
#include "analysis/summary/summary.h"

struct ms_sharing_counts {
	uint64_t truly; /* misses */
	uint64_t falsely;
	uint64_t peer;     /* of both: another processor's cache answered ... */
	uint64_t far_peer; /* ... and the writer was on another node */
	uint64_t remote;   /* of both: another node's memory answered */
	uint64_t stall;    /* cycles */
	uint64_t false_stall;
};

/* The intervals of a sampled run; else NaN. Cycles have none. */
struct ms_sharing_intervals {
	struct ms_intervals_bounds misses; /* truly and falsely */
	struct ms_intervals_bounds truly;
	struct ms_intervals_bounds falsely;
};

/* One way into a line: an instruction at some offset, on whatever processors. */
struct ms_sharing_access {
	uint32_t site;
	uint32_t data;
	uint32_t offset;   /* in the line */
	uint64_t object;   /* in the object; MS_NO_OFFSET: not known */
	const char *field; /* or NULL */
	struct ms_sharing_processors processors;
	struct ms_sharing_counts missed;    /* because others had written */
	struct ms_sharing_intervals within; /* of these */
	uint64_t caused_truly;              /* misses of others because of what was written here */
	uint64_t caused_falsely;
};

struct ms_sharing_line {
	uint64_t line; /* address; MS_NO_OFFSET: lines that could not be kept apart */
	uint32_t data; /* that stalls the most there */
	size_t n_data; /* how many data have a part in it */
	struct ms_sharing_counts counts;
	struct ms_sharing_intervals within;
	struct ms_sharing_processors missers;
	struct ms_sharing_processors writers;
	MS_VEC(struct ms_sharing_access) accesses; /* by offset, then what misses and causes most */
};

struct ms_sharing_data {
	uint32_t data;
	size_t lines;
	struct ms_sharing_counts counts; /* of its own misses */
	struct ms_sharing_intervals within;
	struct ms_sharing_processors missers;
	struct ms_sharing_processors writers; /* of whatever data in its lines */
};

/* Two lines of source: one misses data because the other had written (perhaps other data). */
struct ms_sharing_pair {
	uint32_t line; /* of the run */
	uint32_t data;
	uint32_t writer_line;
	uint32_t writer_data;
	struct ms_sharing_counts counts;
	struct ms_sharing_intervals within;
	struct ms_sharing_processors missers;
	struct ms_sharing_processors writers;
};

struct ms_sharing {
	struct ms_summary whole; /* of the run: what shares refer to */
	struct ms_sharing_counts total;
	struct ms_sharing_intervals within; /* of these */
	MS_VEC(struct ms_sharing_pair) pairs;
	MS_VEC(struct ms_sharing_line) lines;
	MS_VEC(struct ms_sharing_data) data;
};

/*
 * Code and data as select.h has them: lines where one of them misses or writes, with all that
 * happens there. Addresses: the lines that hold them. None of one kind means all.
 */
struct ms_sharing_wanted {
	const char *const *code;
	size_t n_code;
	const char *const *data;
	size_t n_data;
	const char *const *line;
	size_t n_line;
	struct ms_text *remarks; /* gets a line about each name that fits several; NULL: none */
};

int ms_sharing_make(struct ms_sharing *sharing, const struct ms_run *run,
		    const struct ms_sharing_wanted *wanted, const char *latency,
		    struct ms_err *err);
void ms_sharing_free(struct ms_sharing *sharing);

void ms_sharing_counts_add(struct ms_sharing_counts *to, const struct ms_sharing_counts *from);

#endif
