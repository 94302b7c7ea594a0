/* events.c - writes events into the lane of a thread, or into the lane that all threads share. */
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/lanes_priv.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/stamped_lanes.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

static void write_event(struct ms_runtime_thread *t, uint32_t kind, uint32_t arg, const void *words,
			uint32_t n, const char *text, uint32_t bytes)
{
	uint32_t text_words = (bytes + 7) / 8;
	uint32_t total = 1 + n + text_words;
	uint64_t *at;

	if (t->lane.cursor >= t->limit)
		ms_runtime_start_next_chunk(t);
	ms_runtime_end_packed_record(t);
	at = (uint64_t *)t->lane.cursor;
	ms_runtime_index_event(t);
	at[0] = ms_wire_head(kind, total, arg);
	for (uint32_t i = 0; i < n; i++)
		at[1 + i] = ((const uint64_t *)words)[i];
	if (text_words != 0) {
		at[total - 1] = 0;
		ms_runtime_copy_bytes(at + 1 + n, text, bytes);
	}
	/* The shared lane is read before the chunk is published: store the cursor after the
	 * words. */
	__atomic_store_n(&t->lane.cursor, (uint64_t)(at + total), __ATOMIC_RELEASE);
}

/* The fast path for most events, allocations of a single thread. False: not applicable. */
static inline bool write_short(struct ms_runtime_thread *t, uint32_t kind, uint32_t arg,
			       const uint64_t *words, uint32_t n)
{
	if (ms_runtime_writer.merging || t->stopped || n == 0 || n > 3 ||
	    t->lane.cursor >= t->limit)
		return false;
	ms_runtime_end_packed_record(t);
	ms_runtime_index_event(t);
	uint64_t *at = (uint64_t *)t->lane.cursor;
	at[0] = ms_wire_head(kind, 1 + n, arg);
	at[1] = words[0];
	at[2] = words[n > 1]; /* there is room for more than this; see MS_WIRE_RESERVE_WORDS */
	at[3] = words[n - 1];
	t->lane.cursor = (uint64_t)(at + 1 + n);
	return true;
}

/*
 * Events that need a defined order with events of other threads on the same memory: a freed block
 * may belong to another thread a moment later.
 */
static const bool is_ordered[MS_WIRE_KINDS] = {
	[MS_WIRE_ALLOC] = true,   [MS_WIRE_FREE] = true,        [MS_WIRE_MAP] = true,
	[MS_WIRE_UNMAP] = true,   [MS_WIRE_MODULE_GONE] = true, [MS_WIRE_NAME] = true,
	[MS_WIRE_UNNAME] = true,  [MS_WIRE_PHASE] = true,       [MS_WIRE_COUNTING] = true,
	[MS_WIRE_SAMPLE] = true,  [MS_WIRE_WINDOW_OPEN] = true, [MS_WIRE_WINDOW_CLOSE] = true,
	[MS_WIRE_STRATUM] = true,
};

/* Records whose numbers records of all threads may use. */
static bool is_shared(uint32_t kind)
{
	return kind == MS_WIRE_BLOCK || kind == MS_WIRE_PATH || kind == MS_WIRE_MODULE;
}

void ms_runtime_write_event(struct ms_runtime_thread *t, uint32_t kind, uint32_t arg,
			    const void *words, uint32_t n, const char *text, uint32_t bytes)
{
	if (bytes == 0 && !ms_runtime_config.with_times && write_short(t, kind, arg, words, n))
		return;
	if (ms_runtime_writer.merging && is_shared(kind)) {
		ms_runtime_lock(MS_RUNTIME_LOCK_SHARED_LANE);
		if (!ms_runtime_are_locks_abandoned())
			write_event(ms_runtime_writer.shared, kind, arg, words, n, text, bytes);
		ms_runtime_unlock(MS_RUNTIME_LOCK_SHARED_LANE);
		return;
	}
	if (ms_runtime_timestamps.on && ms_runtime_write_stamped_event(t, kind, arg, words, n))
		return;
	if (t->stopped)
		ms_runtime_switch_to_lane(t);
	if (ms_runtime_config.with_times && is_ordered[kind]) {
		uint64_t now = ms_runtime_read_counter();

		write_event(t, MS_WIRE_TIME, 0, &now, 1, NULL, 0);
	}
	write_event(t, kind, arg, words, n, text, bytes);
	if (ms_runtime_writer.merging && is_ordered[kind] && !ms_runtime_writer.detached) {
		ms_runtime_publish_chunk(t, MS_WIRE_IN_ORDER);
		ms_runtime_wait_for_room(t);
		ms_runtime_use_chunk(t, t->lane.filled);
	}
	if (t->stopped)
		ms_runtime_switch_to_scratch(t);
}
