/*
 * chunks.c - hands chunks of a lane over to the reader, and waits for room. A full ring blocks the
 * program; if the reader has gone, further records overwrite one chunk that is not read.
 */
#include "runtime/config.h"
#include "runtime/futex.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/lanes_priv.h"
#include "runtime/stamped_lanes.h"
#include "runtime/thread_state.h"
#include "wire/wire.h"

static void wake(uint32_t *word)
{
	ms_runtime_wake_futex(word, MS_RUNTIME_FUTEX_SHARED, MS_RUNTIME_FUTEX_ALL);
}

/* Waits at most a second, so that a vanished reader is noticed. */
static void wait_a_second(uint32_t *word, uint32_t expected)
{
	const int64_t second[2] = { 1, 0 };

	ms_runtime_wait_futex(word, MS_RUNTIME_FUTEX_SHARED, expected, second);
}

void ms_runtime_use_chunk(struct ms_runtime_thread *t, uint32_t number)
{
	uint8_t *start = t->chunks + (uint64_t)(number % t->chunk_count) * t->chunk_bytes;

	t->events = t->indexes + number % t->chunk_count;
	t->events->count = 0;
	t->packed_limit = 0;
	t->lane.open = 0;
	t->lane.chunk_start = (uint64_t)start;
	t->lane.cursor = (uint64_t)start;
	t->limit = (uint64_t)start + t->chunk_bytes - MS_WIRE_RESERVE_WORDS * 8;
	__atomic_store_n(&t->lane.chunk, number, __ATOMIC_RELEASE);
}

/* Whether the reader has gone, or is about to: it may still have much to do, but it does not read
 * any more. */
static bool has_reader_left(void)
{
	const struct ms_wire_lane *first =
		(const struct ms_wire_lane *)((uint8_t *)ms_runtime_writer.stream +
					      MS_WIRE_LANES_AT);

	return __atomic_load_n(&first->closed, __ATOMIC_SEQ_CST) ||
	       !ms_wire_has_reader(ms_runtime_writer.stream);
}

void ms_runtime_abandon_stream(void)
{
	ms_runtime_writer.detached = true;
	ms_native_hooks.stream_abandoned();
}

/* A thread that only counts between rare windows does not fill its lane for a long time. */
void ms_runtime_check_reader(void)
{
	if (!ms_runtime_writer.detached && has_reader_left())
		ms_runtime_abandon_stream();
}

void ms_runtime_wake_merger(void)
{
	if (__atomic_exchange_n(&ms_runtime_writer.stream->merger_sleeps, 0, __ATOMIC_SEQ_CST)) {
		__atomic_add_fetch(&ms_runtime_writer.stream->merger_bell, 1, __ATOMIC_SEQ_CST);
		wake(&ms_runtime_writer.stream->merger_bell);
	}
}

bool ms_runtime_wait_for_reader(struct ms_runtime_thread *t, uint32_t *freed, uint32_t written,
				uint32_t most)
{
	struct ms_wire_lane *lane = &t->lane;

	for (;;) {
		uint32_t now = __atomic_load_n(freed, __ATOMIC_SEQ_CST);

		if (written - now < most)
			return true;
		if (has_reader_left()) {
			ms_runtime_abandon_stream();
			return false;
		}
		if (ms_runtime_writer.merging) /* otherwise the readers of the ring free chunks */
			ms_runtime_wake_merger();
		__atomic_store_n(&lane->writer_sleeps, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(freed, __ATOMIC_SEQ_CST) == now)
			wait_a_second(freed, now);
		__atomic_store_n(&lane->writer_sleeps, 0, __ATOMIC_SEQ_CST);
	}
}

/* A thread that is ahead of the others in virtual time waits for them, which may need its time
 * slice. */
void ms_runtime_wait_for_room(struct ms_runtime_thread *t)
{
	uint32_t freed = __atomic_load_n(&t->lane.freed, __ATOMIC_SEQ_CST);

	if (ms_runtime_takes_turns() && t->lane.filled - freed >= t->chunk_count)
		ms_native_hooks.blocks_now(t);
	ms_runtime_wait_for_reader(t, &t->lane.freed, t->lane.filled, t->chunk_count);
}

/* A thread that holds a lock must not wait for the reader: other threads would wait for the lock,
 * and this one may be stopped meanwhile. */
void ms_runtime_reserve_event_room(struct ms_runtime_thread *t)
{
	enum {
		RESERVED = 4
	}; /* chunks: no more than that many events of a window keep their place */
	uint32_t most = t->chunk_count > RESERVED ? t->chunk_count - RESERVED : 1;

	if (ms_runtime_writer.merging && !ms_runtime_writer.detached && !t->lane_released)
		ms_runtime_wait_for_reader(t, &t->lane.freed, t->lane.filled, most);
}

/*
 * Whether to wake the reader now. Where no code is traced there is little to read, and a wake-up
 * for every allocated block would cost the program more than recording it.
 */
bool ms_runtime_is_urgent(const struct ms_runtime_thread *t)
{
	uint32_t freed = __atomic_load_n(&t->lane.freed, __ATOMIC_RELAXED);

	return !ms_runtime_config.no_tracing || t->lane.filled - freed + 2 >= t->chunk_count;
}

/* Adds the chunk to the global order, in which chunks of several lanes are read. */
static void append_to_order(struct ms_runtime_thread *t, uint32_t in_order)
{
	uint64_t *order = (uint64_t *)((uint8_t *)ms_runtime_writer.stream +
				       ms_runtime_writer.stream->order_at);
	uint64_t n =
		__atomic_fetch_add(&ms_runtime_writer.stream->handed_over, 1, __ATOMIC_SEQ_CST);

	if (ms_runtime_timestamps.on)
		order[MS_WIRE_ORDERED + n % MS_WIRE_ORDERED] = ms_runtime_take_timestamp();
	__atomic_store_n(&order[n % MS_WIRE_ORDERED],
			 ms_wire_handover(t->number, t->lane_number | in_order), __ATOMIC_SEQ_CST);
	if (ms_runtime_is_urgent(t))
		ms_runtime_wake_merger();
}

void ms_runtime_publish_chunk(struct ms_runtime_thread *t, uint32_t in_order)
{
	struct ms_wire_lane *lane = &t->lane;

	ms_native_hooks.chunk_published(t);
	ms_runtime_end_packed_record(t);
	uint64_t words = (lane->cursor - lane->chunk_start) / 8;

	t->lengths[lane->filled % t->chunk_count] = (uint32_t)words;
	t->published_words += words;
	__atomic_store_n(&lane->filled, lane->filled + 1, __ATOMIC_SEQ_CST);
	if (t->lane_number != 0) {
		append_to_order(t, in_order);
		return;
	}
	if (__atomic_exchange_n(&lane->reader_sleeps, 0, __ATOMIC_SEQ_CST)) {
		__atomic_add_fetch(&lane->reader_bell, 1, __ATOMIC_SEQ_CST);
		wake(&lane->reader_bell);
	}
}

/* The shared lane is read to its end, also after the last record of this process: its chunk is
 * never restarted. */
static void start_next_chunk(struct ms_runtime_thread *t, uint32_t in_order)
{
	if (!ms_runtime_writer.detached || t == ms_runtime_writer.shared) {
		ms_runtime_publish_chunk(t, in_order);
		ms_runtime_wait_for_room(t);
	}
	ms_runtime_use_chunk(t, t->lane.filled);
}

void ms_runtime_start_next_chunk(struct ms_runtime_thread *t)
{
	start_next_chunk(t, 0);
}

void ms_runtime_end_chunk(struct ms_runtime_thread *t)
{
	if (ms_runtime_writer.merging && !ms_runtime_writer.detached && !t->stopped &&
	    t->lane.cursor > t->lane.chunk_start)
		start_next_chunk(t, ms_runtime_takes_turns() ? MS_WIRE_IN_ORDER : 0);
	ms_runtime_apply_recording(t);
}

void ms_runtime_hand_over_chunk(struct ms_runtime_thread *t)
{
	if (!ms_runtime_writer.detached && !t->stopped && t->lane.cursor > t->lane.chunk_start)
		ms_runtime_start_next_chunk(t);
}
