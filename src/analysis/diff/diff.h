/*
 * analysis/diff/diff.h - compares runs before and after a change: in total, by data, code, bin,
 * line and cause.
 *
 * Entries are matched by stable names: data by the normalised path of its allocation (run/key.h),
 * else by type and the rest of the path; code by name and file; lines of a function by the data
 * that they use and their order, because the source may be edited between the runs. An entry that
 * is on one side only has appeared or disappeared.
 *
 * Each side may consist of several runs. Then figures are their means, and the variation among the
 * runs of a side determines which changes are significant. Simulated runs of one program with one
 * input hardly vary. Runs sampled on the real machine do; for single ones the samples give the
 * variance.
 */
#ifndef MS_ANALYSIS_DIFF_DIFF_H
#define MS_ANALYSIS_DIFF_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "run/run.h"

/* One figure before and after. */
struct ms_diff_change {
	double before; /* means over the runs of a side */
	double after;
	double noise; /* half the width of the 95 % interval of the change; NaN: not known */
	bool clear;   /* the change is larger than the noise, or the noise not known */
};

enum ms_diff_presence {
	MS_DIFF_BOTH,
	MS_DIFF_APPEARED, /* only after */
	MS_DIFF_GONE,     /* only before */
};

/* A figure that is compared; every row has all of them. */
struct ms_diff_metric {
	const char *key;  /* "stall", "L1_misses" */
	const char *text; /* "memory stall cycles" */
};

struct ms_diff_row {
	const char *name;     /* as it is called after the change, unless it is gone */
	const char *old_name; /* before, where it was called otherwise; else NULL */
	const char *code;     /* of code, bins and lines; else NULL; likewise: */
	const char *data;     /* of data and bins */
	const char *type;     /* of data, where it is known */
	const char *file;     /* of lines, where it is known */
	uint32_t line;        /* of lines: number after, or before where it is gone; 0: unknown */
	uint32_t old_line;
	enum ms_diff_presence presence;
	bool is_mpi_waiting;            /* of code: it polls for other ranks (summary/mpi_code.h) */
	struct ms_diff_change *changes; /* one per metric */
	struct ms_diff_change *causes;  /* misses: by level, then MS_CAUSES each */
};

struct ms_diff_rows {
	MS_VEC(struct ms_diff_row) at; /* the largest change first, of the metric asked for */
};

/* Which list of rows. */
enum ms_diff_list_kind { MS_DIFF_BIN, MS_DIFF_DATA, MS_DIFF_CODE, MS_DIFF_LINE, MS_DIFF_LISTS };

struct ms_diff_side {
	const struct ms_run *const *runs;
	size_t n; /* at least 1 */
};

struct ms_diff {
	struct ms_arena arena; /* owns every text */
	struct ms_diff_side sides[2];
	MS_VEC(const char *) levels; /* names of those that all runs have */
	MS_VEC(struct ms_diff_metric) metrics;
	size_t metric;    /* that was asked for */
	bool noisy;       /* the noise is known: of several runs, or from samples */
	bool misses_only; /* of some run: references of data and bins are not compared */
	struct ms_diff_row total;
	struct ms_diff_rows lists[MS_DIFF_LISTS];
	MS_VEC(const char *) remarks; /* sentences: why the two may not be comparable */
};

struct ms_diff_options {
	const char *metric;  /* key; NULL: "stall" */
	const char *latency; /* as ms_summary_cost_init() takes it */
};

/*
 * Before a comparison of runs: if only some have measured time, the estimates of all are compared;
 * if all have, and their clocks differ, nanoseconds. Changes by_estimate and clock_mhz of runs.
 */
void ms_diff_match_times(struct ms_run *const *runs, size_t n);

/* The runs must outlive it. MS_EUSAGE: there is no such metric. */
int ms_diff_make(struct ms_diff *diff, struct ms_diff_side before, struct ms_diff_side after,
		 const struct ms_diff_options *options, struct ms_err *err);
void ms_diff_free(struct ms_diff *diff);

/*
 * How many times faster the later side is, from estimated compute and stall time of both; of jobs,
 * that of the slowest ranks. Polling of MPI is not included.
 */
struct ms_diff_speedup {
	bool known;             /* all runs have one processor with an out-of-order core */
	bool measured;          /* the times of both are measured: it is no prediction */
	double times;           /* above 1: faster */
	double low, high;       /* 95 % interval; NaN: the error is that of the timing model */
	double milliseconds[2]; /* before, after; NaN: the clock is not known */
};

struct ms_diff_speedup ms_diff_predict_speedup(const struct ms_diff *diff);

/* The change of the metric that was asked for. */
const struct ms_diff_change *ms_diff_row_change(const struct ms_diff *diff,
						const struct ms_diff_row *row);
double ms_diff_change_amount(const struct ms_diff_change *change);
/* Of the change in all, which it may exceed or run against; NaN where that is 0. */
double ms_diff_share(const struct ms_diff *diff, const struct ms_diff_row *row);
/* Likewise of any change, where `all` is that of which it is a part. */
double ms_diff_change_share(const struct ms_diff_change *change, double all);
/* A change relative to what was before; NaN where that is 0. */
double ms_diff_change_rate(const struct ms_diff_change *change);
/* Whether a row has this metric. */
bool ms_diff_has(const struct ms_diff *diff, const struct ms_diff_row *row, size_t metric);
/* The list's place of a metric's key, or SIZE_MAX. */
size_t ms_diff_find_metric(const struct ms_diff *diff, const char *key);

#endif
