/* stamp.h - stamps of what threads do to memory: see stream/wire_stamped.h. */
#ifndef MS_NATIVE_STAMP_H
#define MS_NATIVE_STAMP_H

#include "runtime.h"
#include "sys.h"

#pragma GCC visibility push(hidden)

extern struct ms_stamps {
	bool on;
	bool usual; /* the counter, and no more is to be done */
} ms_stamps;

/* There are several from here on; true: chunks of all lanes are handed over with stamps. */
bool ms_stamp_start(struct ms_wire_stream *stream);
/* In a forked child. */
void ms_stamp_stop(struct ms_thread *t);
/* The thread has that lane; or has none. */
void ms_stamp_use(struct ms_thread *t, const struct ms_wire_stream *stream,
		  struct ms_wire_lane *lane);
void ms_stamp_leave(struct ms_thread *t);
/* Waits for room for a block at least; false: there is none, and nobody reads. */
bool ms_stamp_room(struct ms_thread *t);
/* Tells what the event would; false: it must be told by that. */
bool ms_stamp_event(struct ms_thread *t, uint32_t kind, uint32_t arg, const uint64_t *words,
		    uint32_t n);

uint64_t ms_stamp_unusual(void);

static inline uint64_t ms_stamp(void)
{
	return ms_stamps.usual ? ms_counter_behind() : ms_stamp_unusual();
}

/* There is room. Who sees that it was told sees it, too. */
static inline void ms_stamp_put(struct ms_thread *t, uint64_t word, uint64_t block)
{
	*t->stamped_at++ = ms_wire_stamp(word, block, ms_stamp());
	__atomic_store_n(&t->lane.stamped, t->lane.stamped + 1, __ATOMIC_RELEASE);
}

#pragma GCC visibility pop

#endif
