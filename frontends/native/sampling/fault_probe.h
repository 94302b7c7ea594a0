/*
 * fault_probe.h - samples of page faults. The timer does not expire in the kernel; a page fault is
 * the kernel's work for the data that is touched. Each one in a number of faults stops the thread
 * after the fault, before the instruction that caused it: its registers have the address.
 */
#ifndef MS_NATIVE_SAMPLING_FAULT_PROBE_H
#define MS_NATIVE_SAMPLING_FAULT_PROBE_H

#include <stdint.h>

#include "runtime/thread_state.h"

struct ms_runtime_thread;

/* Part of struct ms_runtime_thread. */
struct ms_sampling_fault_probe {
	int32_t fd;      /* of the perf event, above 0; 0: none */
	uint32_t mean;   /* faults between two samples, on average */
	uint32_t period; /* faults that the next sample represents */
	uint64_t last;   /* CPU time of the last sample */
	uint64_t spent;  /* nanoseconds of CPU time that samples have taken */
};
_Static_assert(sizeof(struct ms_sampling_fault_probe) <= MS_RUNTIME_FAULT_PROBE_BYTES,
	       "thread_state.h");

/* Of this thread. */
static inline struct ms_sampling_fault_probe *
ms_sampling_get_fault_probe(const struct ms_runtime_thread *t)
{
	return (struct ms_sampling_fault_probe *)(uintptr_t)t->fault_probe;
}

/* How long the kernel takes for a page fault; once, before threads are sampled. */
void ms_sampling_measure_fault(void);
/* random: chooses the first fault. */
void ms_sampling_start_fault_probe(struct ms_runtime_thread *t, uint64_t random);
/* The event with this descriptor has stopped the thread. */
void ms_sampling_handle_fault(struct ms_runtime_thread *t, int32_t fd, const uint64_t *uc);
/* The thread ends, or has ended; or this is a forked child. */
void ms_sampling_stop_fault_probe(struct ms_runtime_thread *t);

#endif
