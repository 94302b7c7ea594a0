/*
 * analysis/threads/threads.h - where time goes: by thread, by function, by processor.
 *
 * Cycles are those of the run's own latencies, since threads waited for each other with these.
 * Normalised time is compute and stall time divided by the processors that were busy meanwhile:
 * what one processor does while all others wait counts whole, what P do together counts for a
 * P-th. So a serial bottleneck stands out, however little of all processors' time it takes.
 */
#ifndef MS_ANALYSIS_THREADS_THREADS_H
#define MS_ANALYSIS_THREADS_THREADS_H

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/metric/metric.h"
#include "analysis/summary/summary.h"

enum ms_threads_time_kind { MS_TIME_THREAD = 1, MS_TIME_CODE = 2, MS_TIME_PROCESSOR = 4 };

/* Of a sampled run: how far they may be off; NaN: nothing can be said. */
struct ms_threads_time_intervals {
	struct ms_intervals_bounds compute;
	struct ms_intervals_bounds stall;
	struct ms_intervals_bounds references;
	struct ms_intervals_bounds all; /* compute and stall, where these are all */
};

/* The time of one thread, function or processor. */
struct ms_threads_time {
	enum ms_threads_time_kind kind;
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
	struct ms_threads_time_intervals within;
};

struct ms_threads_times {
	MS_VEC(struct ms_threads_time) at;
};

struct ms_threads {
	struct ms_summary whole;
	uint32_t processor; /* that functions and threads are of; MS_NONE: of all */
	uint64_t elapsed;   /* from the first thread's beginning to the last one's end */
	struct ms_threads_times threads;
	struct ms_threads_times code; /* the most normalised time first; only what took any */
	struct ms_threads_times processors;
	struct ms_threads_time_intervals within; /* of the run */
};

struct ms_threads_metric {
	const char *key;
	const char *head; /* in text; NULL: not shown there */
	enum ms_metric_unit unit;
	const char *help;
	unsigned kinds; /* enum ms_threads_time_kind or'ed */
	unsigned drop;
	bool reason; /* a part of wait */
	struct ms_metric_value (*value)(const struct ms_threads *threads,
					const struct ms_threads_time *time);
};

extern const struct ms_threads_metric ms_threads_metrics[]; /* ends with a NULL key */

/* processor: only functions and threads of that one; MS_NONE: of all. */
int ms_threads_make(struct ms_threads *threads, const struct ms_run *run, uint32_t processor,
		    struct ms_err *err);
/* Virtual time at which a thread began. */
uint64_t ms_threads_began(const struct ms_threads *threads, const struct ms_run *run,
			  uint32_t thread);
void ms_threads_free(struct ms_threads *threads);

/* time_intervals.c: gives all times their intervals; ms_threads_make() does. */
void ms_threads_set_intervals(struct ms_threads *threads);
/* Whether a figure has an interval in this run; its interval for one time. */
bool ms_threads_metric_has_interval(const struct ms_threads_metric *metric,
				    const struct ms_run *run);
struct ms_intervals_bounds ms_threads_metric_interval(const struct ms_threads_metric *metric,
						      const struct ms_threads_time *time);

/* Largest first, texts in the order of the alphabet; key NULL: nothing is done. */
int ms_threads_sort(const struct ms_threads *threads, struct ms_threads_times *times,
		    const char *key, struct ms_err *err);
/* Adds the figures of one to another. */
void ms_threads_time_add(struct ms_threads_time *to, const struct ms_threads_time *from);
/* What functions' shares are shares of. */
double ms_threads_normalised_sum(const struct ms_threads_times *times);

#endif
