/*
 * exit_counters.h - where the executions of a thread that leave a block by an exit are counted:
 * after its struct ms_runtime_thread, so that counters need no lock and share no cache line. Only
 * code of MS_TRACER_CODE_COUNTS_EXITS counts them.
 */
#ifndef MS_NATIVE_TRACER_EXIT_COUNTERS_H
#define MS_NATIVE_TRACER_EXIT_COUNTERS_H

#include <stdint.h>

#include "runtime/config.h"
#include "runtime/thread_state.h"

/* Counters by exit; the last one is for all further exits. Only pages that are used take memory. */
enum { MS_TRACER_EXIT_COUNTERS = 1 << 20 };

/* Bytes that a thread needs after its struct ms_runtime_thread. */
static inline uint64_t ms_tracer_get_exit_counter_bytes(void)
{
	return ms_runtime_config.counted_refs != 0 ? MS_TRACER_EXIT_COUNTERS * sizeof(uint64_t) : 0;
}

/* Offset of a counter from struct ms_runtime_thread. */
static inline uint64_t ms_tracer_get_exit_counter_offset(uint32_t exit)
{
	uint32_t last = MS_TRACER_EXIT_COUNTERS - 1;

	return sizeof(struct ms_runtime_thread) + (exit < last ? exit : last) * sizeof(uint64_t);
}

#endif
