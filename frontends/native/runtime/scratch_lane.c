/*
 * scratch_lane.c - while executions of a thread are not recorded, its cursor moves through scratch
 * memory, so that generated code need not change. Events are written to the lane as usual.
 */
#include "runtime/lanes.h"
#include "runtime/lanes_priv.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

/* Memory that is not read; and memory that is not even written, where only the cursor moves. */
enum { SCRATCH_BYTES = MS_WIRE_MIN_CHUNK, COUNTED_SCRATCH_BYTES = 1 << 20 };

uint64_t ms_runtime_get_scratch_limit(const struct ms_runtime_thread *t)
{
	return (uint64_t)t->scratch + (t->uses_scratch ? COUNTED_SCRATCH_BYTES : SCRATCH_BYTES) -
	       MS_WIRE_RESERVE_WORDS * 8;
}

static uint64_t get_lane_limit(const struct ms_runtime_thread *t)
{
	return t->lane.chunk_start + t->chunk_bytes - MS_WIRE_RESERVE_WORDS * 8;
}

void ms_runtime_use_scratch(struct ms_runtime_thread *t)
{
	t->lane.cursor = (uint64_t)t->scratch;
	t->limit = ms_runtime_get_scratch_limit(t);
}

bool ms_runtime_has_scratch(struct ms_runtime_thread *t)
{
	if (t->scratch == NULL)
		t->scratch = ms_runtime_map_pages(COUNTED_SCRATCH_BYTES);
	return t->scratch != NULL;
}

/* The reader must not mistake the cursor in scratch memory for the lane's: see ms_ring_end(). */
void ms_runtime_switch_to_scratch(struct ms_runtime_thread *t)
{
	ms_runtime_end_packed_record(t);
	t->saved_cursor = t->lane.cursor;
	t->saved_limit = t->limit;
	t->lane.chunk = t->lane.filled - 1;
	if (!t->uses_scratch) {
		ms_runtime_use_scratch(t);
		return;
	}
	t->limit = t->scratch_limit;
	t->lane.cursor = t->scratch_cursor;
}

void ms_runtime_switch_to_lane(struct ms_runtime_thread *t)
{
	t->scratch_cursor = t->lane.cursor;
	t->scratch_limit = t->limit;
	t->lane.cursor = t->saved_cursor;
	t->limit = t->saved_limit != 0 ? t->saved_limit : get_lane_limit(t);
	t->lane.chunk = t->lane.filled;
}

/* The thread may have changed between its lane and scratch memory since: a limit of the other one
 * would let generated code write beyond the end of this one. */
void ms_runtime_restore_limit(struct ms_runtime_thread *t, uint64_t limit)
{
	uint64_t start = t->stopped ? (uint64_t)t->scratch : t->lane.chunk_start;
	uint64_t most = t->stopped ? ms_runtime_get_scratch_limit(t) : get_lane_limit(t);

	if (t->limit == 0)
		t->limit = limit - start <= most - start ? limit : most;
}

/* Executions are not written, for all threads: one has requested that. */
static uint32_t recording_off;

/* Applies `recording_off` to a thread, at the end of its chunk at the latest. */
void ms_runtime_apply_recording(struct ms_runtime_thread *t)
{
	bool stops = __atomic_load_n(&recording_off, __ATOMIC_RELAXED) != 0;

	if (stops == t->stopped || t->uses_scratch || t->lane_released ||
	    ms_runtime_writer.detached || !ms_runtime_has_scratch(t))
		return;
	/* Publishes what was recorded now: if the program is killed, only events are lost. */
	if (stops && t->lane.cursor > t->lane.chunk_start)
		ms_runtime_start_next_chunk(t);
	t->stopped = stops;
	if (stops)
		ms_runtime_switch_to_scratch(t);
	else
		ms_runtime_switch_to_lane(t);
}

void ms_runtime_finish_full_chunk(struct ms_runtime_thread *t)
{
	if (t->lane.cursor < t->limit)
		return;
	if (t->uses_scratch)
		t->scratch_words += (t->lane.cursor - (uint64_t)t->scratch) / 8;
	if (t->stopped)
		ms_runtime_use_scratch(t);
	else
		ms_runtime_start_next_chunk(t);
	ms_runtime_apply_recording(t);
}

bool ms_runtime_use_scratch_lane(struct ms_runtime_thread *t, bool scratch)
{
	if (scratch == t->uses_scratch)
		return true;
	if (ms_runtime_writer.detached || (scratch && (t->stopped || !ms_runtime_has_scratch(t))))
		return false;
	t->stopped = t->uses_scratch = scratch;
	t->scratch_words = 0;
	t->scratch_cursor = (uint64_t)t->scratch;
	t->scratch_limit = scratch ? ms_runtime_get_scratch_limit(t) : 0;
	if (scratch)
		ms_runtime_switch_to_scratch(t);
	else
		ms_runtime_switch_to_lane(t);
	return true;
}

/* Another thread may call this while this one writes an event: then the cursor is the lane's. */
uint64_t ms_runtime_count_scratch_words(const struct ms_runtime_thread *t)
{
	uint64_t from = (uint64_t)t->scratch;
	uint64_t cursor = __atomic_load_n(&t->lane.cursor, __ATOMIC_RELAXED);

	if (cursor - from > COUNTED_SCRATCH_BYTES)
		cursor = __atomic_load_n(&t->scratch_cursor, __ATOMIC_RELAXED);
	return t->scratch_words + (cursor - from) / 8;
}

void ms_runtime_set_recording(struct ms_runtime_thread *t, bool on)
{
	ms_runtime_use_scratch_lane(t, false);
	if (ms_runtime_writer.detached || !ms_runtime_has_scratch(t) ||
	    __atomic_exchange_n(&recording_off, !on, __ATOMIC_SEQ_CST) == (uint32_t)!on)
		return;
	ms_runtime_write_event(t, MS_WIRE_COUNTING, on, NULL, 0, NULL, 0);
	ms_runtime_apply_recording(t);
}

/* --- in a forked child --- */

static bool was_off_before_fork;

void ms_runtime_remember_recording(const struct ms_runtime_thread *t)
{
	was_off_before_fork = t->stopped && !t->uses_scratch;
}

void ms_runtime_restart_recording(struct ms_runtime_thread *t)
{
	recording_off = 0;
	if (was_off_before_fork)
		ms_runtime_set_recording(t, false);
}
