/*
 * packed_records.c - a record that stays open: while nothing else is recorded, each allocated or
 * freed block adds a word to it (MS_WIRE_PACKED).
 *
 * The cost for a program that allocates much is less the instructions than the cache lines that the
 * stream takes from it: an allocation and its free take 16 bytes this way instead of 40. There is
 * one record for many blocks, so no head word, no index and no check for room each time:
 * packed_limit is 0 whenever anything must be checked. If the program is killed, the lane contains
 * which record was open, and its cursor how long that is.
 */
#include "runtime/lanes.h"
#include "runtime/lanes_priv.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

/* A handler that runs in between finds the limit 0, and requests another record, which is refused
 * while this one is open. */
void ms_runtime_end_packed_record(struct ms_runtime_thread *t)
{
	if (t->packed_limit == 0)
		return;
	t->packed_limit = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	uint64_t *head = (uint64_t *)t->lane.chunk_start + t->lane.open - 1;

	*head = ms_wire_head(MS_WIRE_PACKED, (uint32_t)((uint64_t *)t->lane.cursor - head), 0);
	t->lane.open = 0;
}

/* The base is in the middle, as blocks may be on either side; but after 0, which is no block's
 * address: where the heap begins at a low address, free(NULL) would be recorded. */
static uint64_t choose_base(uint64_t block)
{
	const uint64_t half = UINT64_C(1) << (MS_WIRE_PACKED_SIZE_AT + MS_WIRE_PACKED_UNIT - 1);
	const uint64_t unit = UINT64_C(1) << MS_WIRE_PACKED_UNIT;

	return block < half + unit ? unit : (block - half) & ~(unit - 1);
}

uint64_t ms_runtime_heap_end;

/* Beyond the heap's end, the heap's growth must be recorded before its blocks. */
static uint64_t get_span(uint64_t base)
{
	const uint64_t most = UINT64_C(1) << MS_WIRE_PACKED_SIZE_AT;
	uint64_t above = (ms_runtime_heap_end - base) >> MS_WIRE_PACKED_UNIT;

	return above < most ? above : most;
}

bool ms_runtime_can_begin_packed_record(const struct ms_runtime_thread *t)
{
	return t->lane.open == 0 && !t->traced && !t->stopped && !t->ended &&
	       t->private_depth == 0 && t->lane.cursor < t->limit;
}

bool ms_runtime_begin_packed_record(struct ms_runtime_thread *t, uint64_t block, uint64_t size)
{
	uint64_t *at = (uint64_t *)t->lane.cursor;

	if (!ms_runtime_can_begin_packed_record(t) || ms_runtime_is_beyond_heap_end(block + size))
		return false;
	ms_runtime_index_event(t);
	t->packed_base = choose_base(block);
	t->packed_span = get_span(t->packed_base);
	at[0] = ms_wire_head(MS_WIRE_PACKED, 2, 0);
	at[1] = t->packed_base;
	t->lane.open = (uint32_t)(at - (uint64_t *)t->lane.chunk_start) + 1;
	t->lane.cursor = (uint64_t)(at + 2);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->packed_limit = t->limit;
	return true;
}
