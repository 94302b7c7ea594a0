/* timer_sampling.h - timer sampling: its part of struct ms_runtime_thread, and its start. */
#ifndef MS_NATIVE_SAMPLING_TIMER_SAMPLING_H
#define MS_NATIVE_SAMPLING_TIMER_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"

struct ms_runtime_thread;

struct ms_sampling_timer_state {
	uint64_t random;
	uint64_t armed;         /* nanoseconds until the next sample, ... */
	uint64_t expires;       /* ... when that is, in CPU time (0: unknown) ... */
	uint64_t cpu;           /* ... and when the last sample was */
	uint32_t lost;          /* samples lost since the last one recorded */
	uint32_t cost;          /* nanoseconds of a sample, on average */
	uint64_t kernel;        /* nanoseconds in the kernel that were not recorded yet */
	uint64_t overhead_left; /* millionths of the time that samples may take */
};
_Static_assert(sizeof(struct ms_sampling_timer_state) <= MS_RUNTIME_TIMED_BYTES, "thread_state.h");

/* Of this thread. */
static inline struct ms_sampling_timer_state *
ms_sampling_get_timer_state(const struct ms_runtime_thread *t)
{
	return (struct ms_sampling_timer_state *)(uintptr_t)t->timed;
}

/* On the first thread; false: not possible here, which was logged. */
bool ms_sampling_start_timer_sampling(struct ms_runtime_thread *t);
/* On every other thread. */
void ms_sampling_start_timer_thread(struct ms_runtime_thread *t);

/*
 * For native_samples.c: prepares the thread's state; draws the CPU time until the next sample;
 * takes a sample of a thread that was interrupted there, which represents so much time (alone: no
 * speed probe begins there); and adds the cost of a sample whose handler began then, of which it
 * returns the time to the handler.
 */
void ms_sampling_init_timer_state(struct ms_runtime_thread *t);
uint64_t ms_sampling_draw_sample_interval(struct ms_runtime_thread *t);
void ms_sampling_sample_interrupted(struct ms_runtime_thread *t, const uint64_t *uc, uint64_t time,
				    bool alone);
/* The timer's handler began then: adds the time for which it has found the thread in the kernel. */
void ms_sampling_count_kernel_time(struct ms_runtime_thread *t, uint64_t began);
/* The estimated CPU time of a signal of the kernel, without its handler. */
uint64_t ms_sampling_get_delivery_cost(void);
uint64_t ms_sampling_charge_sample(struct ms_runtime_thread *t, uint64_t began);

/* On a thread whose timer was stopped. */
void ms_sampling_resume_timer_sampling(struct ms_runtime_thread *t);

/* The thread has stopped before an instruction whose registers are wanted: records it. */
void ms_sampling_record_probed_sample(struct ms_runtime_thread *t, const uint64_t *uc);
/* The thread has had so many page faults, the last one at pc; they took about so long. */
void ms_sampling_record_fault(struct ms_runtime_thread *t, const uint64_t *uc, uint32_t faults,
			      uint64_t nanoseconds);

#endif
