/*
 * collect/clocks.h - how long each thread computed, stalled and waited, in virtual time.
 *
 * Models:   a cycle an instruction, and the stalls of the run's machine; who was woken goes on at
 * the time of who woke it, at the earliest; one thread at a time on a processor. Does not: say when
 * a thread stalled. Its stalls are known at the end, and are spread evenly over its instructions.
 *
 * Threads are numbered in the order in which they began. Steps are told in the stream's order, by
 * one worker; the times are worked out at the end, when stalls are known.
 */
#ifndef MS_COLLECT_CLOCKS_H
#define MS_COLLECT_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "run/run.h"

#define MS_CLOCKS_NOBODY UINT32_MAX

struct ms_clocks;

struct ms_clocks *ms_clocks_open(void);
void ms_clocks_close(struct ms_clocks *clocks);

/* A new thread begins, made by another one or by nobody that is known; returns its number. */
uint32_t ms_clocks_begin(struct ms_clocks *clocks, uint32_t maker);
/* taken: by the program's end, else by itself. */
void ms_clocks_end(struct ms_clocks *clocks, uint32_t thread, bool taken);
/* The first of those that were; MS_CLOCKS_NOBODY: none was, or nobody told. */
uint32_t ms_clocks_first_taken(const struct ms_clocks *clocks);
/* Instructions that it has executed so far; so many processors were busy lately. */
void ms_clocks_set(struct ms_clocks *clocks, uint32_t thread, uint64_t instructions, uint32_t busy);
/* From here on there are several threads, or one. */
enum ms_clocks_company { MS_CLOCKS_ALONE, MS_CLOCKS_TOGETHER, MS_CLOCKS_COMPANIES };
void ms_clocks_company(struct ms_clocks *clocks, enum ms_clocks_company company);
/* Some path of calls that it is in. */
void ms_clocks_at(struct ms_clocks *clocks, uint32_t thread, uint32_t path);
void ms_clocks_spin(struct ms_clocks *clocks, uint32_t thread, uint64_t instructions,
		    uint32_t path);
/* reason: enum ms_wait_reason; path: where, as the stream numbers them. */
void ms_clocks_wait(struct ms_clocks *clocks, uint32_t thread, uint32_t reason, uint32_t path);
/* after: whose time it is then. */
void ms_clocks_wake(struct ms_clocks *clocks, uint32_t thread, uint32_t after);
/* It runs on this processor from here on. */
void ms_clocks_on(struct ms_clocks *clocks, uint32_t thread, uint32_t processor);
/* It takes a processor over from another thread. */
void ms_clocks_run(struct ms_clocks *clocks, uint32_t thread, uint32_t before);

enum { MS_CLOCKS_PATHS = 5 };

struct ms_clocks_thread {
	uint64_t began;
	uint64_t elapsed;
	uint32_t processor;             /* the last */
	uint32_t path[MS_CLOCKS_PATHS]; /* the first that were told; UINT32_MAX: no more */
	/* What one of its instructions counts, each divided by the processors that were busy then,
	 * on average; 0: no clock of it was told. */
	double weight;
	uint32_t end; /* enum ms_thread_end; never MS_THREAD_SIGNALED */
};

struct ms_clocks_wait {
	uint32_t thread;
	uint32_t reason; /* enum ms_wait_reason */
	uint32_t path;
	uint64_t times;
	uint64_t cycles;
};

struct ms_clocks_times {
	MS_VEC(struct ms_clocks_thread) threads;
	MS_VEC(struct ms_clocks_wait) waits; /* by thread, reason, path */
	uint64_t dropped;                    /* steps that there was no room for */
};

size_t ms_clocks_threads(const struct ms_clocks *clocks);
/*
 * stalls: cycles of each thread, alone and together (at thread * MS_CLOCKS_COMPANIES + company).
 * instructions: likewise, all that were counted.
 */
void ms_clocks_finish(const struct ms_clocks *clocks, const uint64_t *instructions,
		      const uint64_t *stalls, struct ms_clocks_times *times);
void ms_clocks_times_free(struct ms_clocks_times *times);

#endif
