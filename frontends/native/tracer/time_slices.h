/* time_slices.h - time slices: threads that are simulated on one processor run one at a time. See
 * time_slices.c. */
#ifndef MS_NATIVE_TRACER_TIME_SLICES_H
#define MS_NATIVE_TRACER_TIME_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"

struct ms_runtime_thread;

/* Part of struct ms_runtime_thread. */
struct ms_tracer_time_slice {
	struct ms_runtime_thread *queue_prev,
		*queue_next; /* neighbours in the queue while it waits */
	bool is_queued;
	uint32_t bell; /* futex: its state has changed */
};
_Static_assert(sizeof(struct ms_tracer_time_slice) <= MS_RUNTIME_TIME_SLICE_BYTES,
	       "thread_state.h");

/* Of this thread. */
static inline struct ms_tracer_time_slice *
ms_tracer_get_time_slice(const struct ms_runtime_thread *t)
{
	return (struct ms_tracer_time_slice *)(uintptr_t)t->time_slice;
}

/* The thread continues in code that records; false: not yet, and what it was about to do may have
 * changed meanwhile. */
bool ms_tracer_take_time_slice(struct ms_runtime_thread *t);
/* The thread stops recording: others may have the processor. */
void ms_tracer_leave_time_slice(struct ms_runtime_thread *t);
/* The thread may block in a system call: others may have the processor until it returns. */
void ms_tracer_offer_time_slice(struct ms_runtime_thread *t);
/* Its chunk is full. If it spins in a loop, perhaps until another thread has done something, its
 * time slice ends. */
void ms_tracer_check_for_spinning(struct ms_runtime_thread *t);
/* Whether the last chunk of the thread, which has the time slice, was a loop that may wait for
 * another thread. */
bool ms_tracer_is_spinning(const struct ms_runtime_thread *t);
/* In a forked child, where there is no other thread. */
void ms_tracer_reset_time_slices(struct ms_runtime_thread *t);

#endif
