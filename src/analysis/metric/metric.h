/*
 * analysis/metric/metric.h - what is known of an entry, one row a figure: text, CSV and sorting
 * read this table, and so will every later view. A new metric is one row and one function.
 */
#ifndef MS_ANALYSIS_METRIC_METRIC_H
#define MS_ANALYSIS_METRIC_METRIC_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/summary/summary.h"

enum ms_metric_unit {
	MS_UNIT_TEXT,
	MS_UNIT_COUNT,
	MS_UNIT_CYCLES,
	MS_UNIT_NANOSECONDS,
	MS_UNIT_BYTES,
	MS_UNIT_SHARE, /* of the run's total: a column of them adds up; real, 0 to 1 */
	MS_UNIT_RATE,  /* of something else; real, 0 to 1 */
	MS_UNIT_REAL,
};

struct ms_metric_value {
	bool known; /* false: there is no such figure ("-", empty, null) */
	uint64_t count;
	double real;
	const char *text;
};

/* Runs that have a figure at all: not all levels have a prefetcher. */
enum ms_metric_only {
	MS_ONLY_ANY,
	MS_ONLY_PREFETCH,      /* at levels with one */
	MS_ONLY_PARALLEL,      /* several processors */
	MS_ONLY_NODES,         /* several nodes; at the last level */
	MS_ONLY_PARALLEL_TEXT, /* any, but text shows it only for several processors */
	MS_ONLY_SIMULATED,
	MS_ONLY_DIVIDED,     /* with capacity and conflict misses ... */
	MS_ONLY_ESTIMATED,   /* ... that are estimates */
	MS_ONLY_INTRINSIC,   /* with intrinsic misses; not of data in some of the code */
	MS_ONLY_JOINED,      /* simulated, with measured time */
	MS_ONLY_HARDWARE,    /* sampled on the real machine, or joined ... */
	MS_ONLY_LATENCY,     /* ... by a source with latencies */
	MS_ONLY_TIMER,       /* ... by a timer */
	MS_ONLY_FAULTS,      /* ... by page faults */
	MS_ONLY_EVENTS,      /* ... by events, of which a sample represents some */
	MS_ONLY_STALL,       /* simulated, or sampled by a timer */
	MS_ONLY_TIMED,       /* simulated with an out-of-order core, and costed so */
	MS_ONLY_PATHS,       /* simulated, with call paths */
	MS_ONLY_TIMER_PATHS, /* sampled by a timer, with call paths */
	MS_ONLY_HITS,        /* simulated; of data and bins only where hits were looked up */
};

struct ms_metric {
	const char *key;  /* as typed after --sort and in the head of CSV */
	const char *head; /* in the head of text tables; NULL: not shown there */
	enum ms_metric_unit unit;
	const char *help;
	unsigned kinds; /* of entries that have it: enum ms_summary_entry_kind or'ed */
	bool per_level; /* one for each level: its key is "L1_" and key */
	unsigned drop;  /* text without room for all leaves out the largest first; 0: stays */
	enum ms_metric_only only;
	/* whole is the summary of the whole run, which shares refer to. */
	struct ms_metric_value (*value)(const struct ms_summary *whole,
					const struct ms_summary_entry *entry, size_t level);
};

extern const struct ms_metric ms_metric_table[]; /* ends with a NULL key */

/* Whether the run has this figure of such entries at the level. */
bool ms_metric_applies(const struct ms_metric *metric, const struct ms_run *run,
		       enum ms_summary_entry_kind kind, size_t level);

/* Whether the figure has an interval: of sampled runs many have. */
bool ms_metric_has_interval(const struct ms_metric *metric, const struct ms_run *run);
/* It, of an entry whose intervals (split into reads and writes) are own; NULL: there are none. */
struct ms_intervals_bounds ms_metric_interval(const struct ms_metric *metric,
					      const struct ms_summary *whole,
					      const struct ms_summary_entry *entry,
					      const struct ms_intervals_entry *own, size_t level);

/*
 * Sorts entries by a metric, largest first (texts: in the order of the alphabet), equal ones as
 * before. key may be NULL: nothing is done then.
 */
int ms_metric_sort(const struct ms_summary *whole, struct ms_summary_entries *entries,
		   const char *key, struct ms_err *err);

#endif
