/* stamp.h - time stamps of allocations and frees of several threads: see wire/stamped.h. */
#ifndef MS_NATIVE_STAMP_H
#define MS_NATIVE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/thread_state.h"
#include "sys.h"

extern struct ms_stamps {
	bool on;
	bool usual; /* the processor's counter suffices as stamp */
} ms_stamps;

/* The program has several threads from here on; true: chunks of all lanes are published with
 * stamps. */
bool ms_stamp_start(struct ms_wire_stream *stream);
/* In a forked child. */
void ms_stamp_stop(struct ms_thread *t);
/* The thread gets that lane; or gives it back. */
void ms_stamp_use(struct ms_thread *t, const struct ms_wire_stream *stream,
		  struct ms_wire_lane *lane);
void ms_stamp_leave(struct ms_thread *t);
/* Waits for room for at least one block; false: there is none, and the reader has gone. */
bool ms_stamp_room(struct ms_thread *t);
/* Writes an event as a stamped block; false: it must be written as an event. */
bool ms_stamp_event(struct ms_thread *t, uint32_t kind, uint32_t arg, const uint64_t *words,
		    uint32_t n);

uint64_t ms_stamp_unusual(void);

static inline uint64_t ms_stamp(void)
{
	return ms_stamps.usual ? ms_counter_behind() : ms_stamp_unusual();
}

/* Needs room. The release store makes the block visible before its count. */
static inline void ms_stamp_put(struct ms_thread *t, uint64_t word, uint64_t block)
{
	*t->stamped_at++ = ms_wire_stamp(word, block, ms_stamp());
	__atomic_store_n(&t->lane.stamped, t->lane.stamped + 1, __ATOMIC_RELEASE);
}

#endif
