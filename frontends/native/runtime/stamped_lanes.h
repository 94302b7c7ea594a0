/* stamped_lanes.h - time stamps of allocations and frees of several threads: see
 * wire/stamped.h. */
#ifndef MS_NATIVE_RUNTIME_STAMPED_LANES_H
#define MS_NATIVE_RUNTIME_STAMPED_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "raw_syscall.h"
#include "runtime/thread_state.h"

extern struct ms_runtime_timestamps {
	bool on;
	bool is_counter; /* the processor's counter suffices as stamp */
} ms_runtime_timestamps;

/* The program has several threads from here on; true: chunks of all lanes are published with
 * stamps. */
bool ms_runtime_start_timestamps(struct ms_wire_stream *stream);
/* In a forked child. */
void ms_runtime_stop_timestamps(struct ms_runtime_thread *t);
/* The thread gets that lane; or gives it back. */
void ms_runtime_use_stamped_lane(struct ms_runtime_thread *t, const struct ms_wire_stream *stream,
				 struct ms_wire_lane *lane);
void ms_runtime_leave_stamped_lane(struct ms_runtime_thread *t);
/* Waits for room for at least one block; false: there is none, and the reader has gone. */
bool ms_runtime_wait_for_stamped_room(struct ms_runtime_thread *t);
/* Writes an event as a stamped block; false: it must be written as an event. */
bool ms_runtime_write_stamped_event(struct ms_runtime_thread *t, uint32_t kind, uint32_t arg,
				    const uint64_t *words, uint32_t n);

uint64_t ms_runtime_take_slow_timestamp(void);

static inline uint64_t ms_runtime_take_timestamp(void)
{
	return ms_runtime_timestamps.is_counter ? ms_runtime_read_counter_ordered()
						: ms_runtime_take_slow_timestamp();
}

/* Needs room. The release store makes the block visible before its count. */
static inline void ms_runtime_write_stamped(struct ms_runtime_thread *t, uint64_t word,
					    uint64_t block)
{
	*t->stamped_at++ = ms_wire_stamp(word, block, ms_runtime_take_timestamp());
	__atomic_store_n(&t->lane.stamped, t->lane.stamped + 1, __ATOMIC_RELEASE);
}

#endif
