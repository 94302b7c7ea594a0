/*
 * name/thread_clocks.h - how long each thread computed, stalled and waited, in virtual time.
 *
 * Models: one cycle for each instruction, and the stalls of the simulated machine. A thread that
 * was woken continues no earlier than the time of the thread that woke it. A processor runs one
 * thread at a time. Does not model when a thread stalled: its stalls are known only at the end, and
 * are distributed evenly over its instructions.
 *
 * Threads are numbered in the order in which they began. One worker records the steps in the order
 * of the stream; the times are computed at the end, when the stalls are known.
 */
#ifndef MS_NAME_THREAD_CLOCKS_H
#define MS_NAME_THREAD_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "run/run.h"

#define MS_NAME_CLOCKS_UNKNOWN UINT32_MAX

struct ms_name_clocks;

struct ms_name_clocks *ms_name_clocks_open(void);
void ms_name_clocks_close(struct ms_name_clocks *clocks);

/* A new thread begins; returns its number. maker: MS_NAME_CLOCKS_UNKNOWN if not known. */
uint32_t ms_name_clocks_begin(struct ms_name_clocks *clocks, uint32_t maker);
/* taken: the program's end ended the thread; else it ended by itself. */
void ms_name_clocks_end(struct ms_name_clocks *clocks, uint32_t thread, bool taken);
/* The first thread that the program's end ended; MS_NAME_CLOCKS_UNKNOWN: none, or not recorded. */
uint32_t ms_name_clocks_first_killed(const struct ms_name_clocks *clocks);
/* Instructions that the thread has executed so far; busy: processors that were busy lately. */
void ms_name_clocks_set(struct ms_name_clocks *clocks, uint32_t thread, uint64_t instructions,
			uint32_t busy);
/* From here on several threads run, or one. */
enum ms_name_clocks_set_company {
	MS_NAME_CLOCKS_ALONE,
	MS_NAME_CLOCKS_TOGETHER,
	MS_NAME_CLOCKS_COMPANIES
};
void ms_name_clocks_set_company(struct ms_name_clocks *clocks,
				enum ms_name_clocks_set_company company);
/* A call path that the thread is in. */
void ms_name_clocks_path(struct ms_name_clocks *clocks, uint32_t thread, uint32_t path);
void ms_name_clocks_spin(struct ms_name_clocks *clocks, uint32_t thread, uint64_t instructions,
			 uint32_t path);
/* reason: enum ms_run_wait_reason; path: where, as the stream numbers them. */
void ms_name_clocks_wait(struct ms_name_clocks *clocks, uint32_t thread, uint32_t reason,
			 uint32_t path);
/* after: the thread whose time is the earliest at which this one continues. */
void ms_name_clocks_wake(struct ms_name_clocks *clocks, uint32_t thread, uint32_t after);
/* The thread runs on this processor from here on. */
void ms_name_clocks_on(struct ms_name_clocks *clocks, uint32_t thread, uint32_t processor);
/* The thread takes over a processor from the thread `before`. */
void ms_name_clocks_run(struct ms_name_clocks *clocks, uint32_t thread, uint32_t before);

enum { MS_NAME_CLOCKS_PATHS = 5 };

struct ms_name_clocks_thread {
	uint64_t began;
	uint64_t elapsed;
	uint32_t processor;                  /* the last */
	uint32_t path[MS_NAME_CLOCKS_PATHS]; /* the first that were recorded; UINT32_MAX: no more */
	/* The mean weight of its instructions: each counts 1 divided by the processors that were
	 * busy at that time; 0: it has no clock record. */
	double weight;
	uint32_t end; /* enum ms_run_thread_end; never MS_THREAD_SIGNALED */
};

struct ms_name_clocks_wait {
	uint32_t thread;
	uint32_t reason; /* enum ms_run_wait_reason */
	uint32_t path;
	uint64_t times;
	uint64_t cycles;
};

struct ms_name_clocks_times {
	MS_VEC(struct ms_name_clocks_thread) threads;
	MS_VEC(struct ms_name_clocks_wait) waits; /* by thread, reason, path */
	uint64_t dropped;                         /* steps beyond the largest number that is kept */
};

size_t ms_name_clocks_threads(const struct ms_name_clocks *clocks);
/*
 * stalls: cycles of each thread, alone and together (at thread * MS_NAME_CLOCKS_COMPANIES +
 * company). instructions: all that were counted, with the same index.
 */
void ms_name_clocks_finish(const struct ms_name_clocks *clocks, const uint64_t *instructions,
			   const uint64_t *stalls, struct ms_name_clocks_times *times);
void ms_name_clocks_times_free(struct ms_name_clocks_times *times);

#endif
