/*
 * between_windows.h - the number of references between the windows of a sampled program: counted in
 * its counted start, estimated afterwards. Functions that take time or counts need
 * MS_RUNTIME_LOCK_SAMPLING.
 */
#ifndef MS_NATIVE_SAMPLING_BETWEEN_WINDOWS_H
#define MS_NATIVE_SAMPLING_BETWEEN_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"
#include "sampling/alloc_rate.h"
#include "tracer/tracer.h"

struct ms_sampling_gap {
	uint64_t position; /* progress of the program, in references */
	/* References since the last window; those of them that were not counted but estimated; and
	 * all estimated ones since the start. */
	uint64_t refs_since_window, estimated_since_window, estimated;
	/* What was estimated since the start, without speed probes, and the CPU time of it. */
	uint64_t references, nanoseconds, speed_probes;
	/* How the references since the last window were timed: segments of speed probes, and
	 * undisturbed ones. */
	struct ms_wire_timed timing_since_window;
	uint64_t fork_time; /* ns in system calls that created processes, in the counted start and
			    elsewhere */
	/* The counted start has not ended: references between windows are counted, too, by so many
	 * threads. */
	bool is_counting;
	uint32_t counting_threads;
	/* Allocations meanwhile; whether counting may end was decided, and it may. */
	struct ms_sampling_alloc_rate rate;
	bool decided, rate_suffices;
};
extern struct ms_sampling_gap ms_sampling_gap;

/* Estimate of the references that a thread makes natively in 1024 ns. */
uint64_t ms_sampling_get_native_speed(void);
/* Adds what the thread did natively until now, by its CPU time, and in speed probes. */
void ms_sampling_add_native_time(struct ms_runtime_thread *t, uint64_t now);
/* Adds what the thread has counted. */
void ms_sampling_add_counted(struct ms_runtime_thread *t);
/* The same for the running thread, when it calls C: references in spin loops are excluded. */
void ms_sampling_add_counted_step(struct ms_runtime_thread *t);
/* Whether the thread has been in a spin loop since it last called C, and still is; then it
 * continues so. */
bool ms_sampling_skip_spinning(struct ms_runtime_thread *t);
/* The thread counts, or still does, until the next window; false: not possible. */
bool ms_sampling_continue_counting(struct ms_runtime_thread *t, uint64_t next);
/* The thread stops counting. Acquires the lock itself. */
void ms_sampling_stop_counting(struct ms_runtime_thread *t);
/* At the end of a window: decides whether counting continues. */
void ms_sampling_decide_counting(void);
/* Whether the thread counts now, or may. */
bool ms_sampling_is_counting_allowed(const struct ms_runtime_thread *t);
/* Whether enough was counted to know each exit's share. */
bool ms_sampling_is_count_complete(void);

static inline bool ms_sampling_is_counting_exits(const struct ms_runtime_thread *t)
{
	return t->sampled.code == MS_TRACER_CODE_COUNTS_EXITS;
}

#endif
