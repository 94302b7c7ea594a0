/*
 * analysis/threads.h - where time goes: by thread, by function, by processor.
 *
 * Cycles are those of the run's own latencies, since threads waited for each other with these.
 * Normalised time is compute and stall time divided by the processors that were busy meanwhile:
 * what one processor does while all others wait counts whole, what P do together counts for a
 * P-th. So a serial bottleneck stands out, however little of all processors' time it takes.
 */
#ifndef MS_ANALYSIS_THREADS_H
#define MS_ANALYSIS_THREADS_H

#include "analysis/intervals.h"
#include "analysis/metric.h"
#include "analysis/summary.h"

enum ms_time_kind { MS_TIME_THREAD = 1, MS_TIME_CODE = 2, MS_TIME_PROCESSOR = 4 };

/* Of a sampled run: how far they may be off; NaN: nothing can be said. */
struct ms_time_within {
	struct ms_bounds compute;
	struct ms_bounds stall;
	struct ms_bounds references;
	struct ms_bounds all; /* compute and stall, where these are all */
};

/* The time of one thread, function or processor. */
struct ms_time {
	enum ms_time_kind kind;
	uint32_t of; /* index into the run; MS_NONE: waits that no function is known for */
	const char *name;
	uint64_t elapsed; /* of functions: the next three added up; of processors: the run's */
	uint64_t compute;
	uint64_t stall;
	uint64_t wait;
	uint64_t waits[MS_WAIT_REASONS];
	uint64_t times; /* how often it waited */
	uint64_t references;
	double normalised; /* below 0: not known */
	uint64_t threads;  /* of processors: that ran there last */
	struct ms_time_within within;
};

struct ms_times {
	MS_VEC(struct ms_time) at;
};

struct ms_threads {
	struct ms_summary whole;
	uint32_t processor; /* that functions and threads are of; MS_NONE: of all */
	uint64_t elapsed;   /* from the first thread's beginning to the last one's end */
	struct ms_times threads;
	struct ms_times code; /* the most normalised time first; only what took any */
	struct ms_times processors;
	struct ms_time_within within; /* of the run */
};

struct ms_time_metric {
	const char *key;
	const char *head; /* in text; NULL: not shown there */
	enum ms_unit unit;
	const char *help;
	unsigned kinds; /* enum ms_time_kind or'ed */
	unsigned drop;
	bool reason; /* a part of wait */
	struct ms_value (*value)(const struct ms_threads *threads, const struct ms_time *time);
};

extern const struct ms_time_metric ms_time_metrics[]; /* ends with a NULL key */

/* processor: only functions and threads of that one; MS_NONE: of all. */
int ms_threads_make(struct ms_threads *threads, const struct ms_run *run, uint32_t processor,
		    struct ms_err *err);
void ms_threads_free(struct ms_threads *threads);

/* threads_within.c: gives all times their intervals; ms_threads_make() does. */
void ms_threads_bound(struct ms_threads *threads);
/* Whether a figure has an interval in such a run, and that of a time. */
bool ms_time_has_interval(const struct ms_time_metric *metric, const struct ms_run *run);
struct ms_bounds ms_time_bounds(const struct ms_time_metric *metric, const struct ms_time *time);

/* Largest first, texts in the order of the alphabet; key NULL: nothing is done. */
int ms_times_sort(const struct ms_threads *threads, struct ms_times *times, const char *key,
		  struct ms_err *err);
/* Adds the figures of one to another. */
void ms_time_add(struct ms_time *to, const struct ms_time *from);
/* What functions' shares are shares of. */
double ms_times_normalised(const struct ms_times *times);

#endif
