/*
 * breakpoint_probe.h - determines the address that an instruction accesses: a hardware breakpoint
 * stops the thread once, before the next execution of the instruction. Needed for loads that
 * overwrite their address register.
 */
#ifndef MS_NATIVE_SAMPLING_BREAKPOINT_PROBE_H
#define MS_NATIVE_SAMPLING_BREAKPOINT_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"

struct ms_runtime_thread;

/* Part of struct ms_runtime_thread. */
struct ms_sampling_breakpoint {
	int32_t fd;     /* of the perf event, above 0; 0: none */
	uint32_t armed; /* it was not hit yet */
	uint64_t site;
};
_Static_assert(sizeof(struct ms_sampling_breakpoint) <= MS_RUNTIME_BREAKPOINT_BYTES,
	       "thread_state.h");

/* Of this thread. */
static inline struct ms_sampling_breakpoint *
ms_sampling_get_breakpoint(const struct ms_runtime_thread *t)
{
	return (struct ms_sampling_breakpoint *)(uintptr_t)t->breakpoint;
}

/* Where breakpoints are the only events besides the timer's. */
void ms_sampling_start_breakpoint_probes(void);
/* False: the kernel does not permit it. A breakpoint that was not hit yet is replaced. */
bool ms_sampling_set_breakpoint(struct ms_runtime_thread *t, uint64_t site);
/* The event with this descriptor has stopped the thread. */
void ms_sampling_handle_breakpoint(struct ms_runtime_thread *t, int32_t fd, const uint64_t *uc);
/* The thread ends, or has ended; or this is a forked child. */
void ms_sampling_remove_breakpoint(struct ms_runtime_thread *t);

#endif
