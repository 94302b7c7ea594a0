/*
 * stamped_lanes.c - allocations and frees of a program with several threads, while these are not
 * traced: each thread records them in its own memory, with a stamp, and memspy sorts them
 * (wire/stamped.h).
 *
 * Handing over a chunk for each of them, so that their order is known, took half a microsecond.
 */
#include "runtime/stamped_lanes.h"

#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lanes_priv.h"
#include "runtime/thread_state.h"
#include "wire/stamped.h"
#include "wire/wire.h"

struct ms_runtime_timestamps ms_runtime_timestamps;

static uint64_t *shared_counter; /* NULL: stamps are the counter's */
static uint32_t room;            /* blocks of a lane */

/*
 * Whether the counter advances between two consecutive reads, which take less time than one
 * thread's event and the event of another thread that follows it. The counter's frequency does not
 * determine that: it may advance by several at a time.
 */
static bool is_fine_grained(void)
{
	enum { LOOKS = 100 };
	uint64_t last = ms_runtime_read_counter_ordered(), next;
	uint32_t looks = 0;

	while (looks < LOOKS && (next = ms_runtime_read_counter_ordered()) != last) {
		last = next;
		looks++;
	}
	return looks == LOOKS;
}

/* A coarse counter must advance before another thread can get a stamp after this one. */
uint64_t ms_runtime_take_slow_timestamp(void)
{
	if (shared_counter != NULL)
		return __atomic_fetch_add(shared_counter, 1, __ATOMIC_SEQ_CST);
	uint64_t stamp = ms_runtime_read_counter_ordered();
	while (ms_runtime_read_counter_ordered() == stamp)
		;
	return stamp;
}

/* If everything is traced, executions are between the blocks: both must be handed over together. */
bool ms_runtime_start_timestamps(struct ms_wire_stream *stream)
{
	bool natively = ms_runtime_config.no_tracing ||
			(ms_runtime_config.period != 0 && !ms_runtime_is_one_window());

	if (stream->header_bytes < sizeof(*stream) || stream->stamps == MS_WIRE_STAMPS_NONE ||
	    !natively || ms_runtime_config.with_times)
		return false;
	room = stream->more_stamped;
	shared_counter = stream->stamps == MS_WIRE_STAMPS_COUNTED ? &stream->stamp : NULL;
	ms_runtime_timestamps.is_counter = shared_counter == NULL && is_fine_grained();
	ms_runtime_timestamps.on = true;
	__atomic_store_n(&stream->stamping, 1, __ATOMIC_SEQ_CST);
	return true;
}

void ms_runtime_stop_timestamps(struct ms_runtime_thread *t)
{
	ms_runtime_timestamps.on = false;
	ms_runtime_leave_stamped_lane(t);
	ms_native_hooks.lanes_split(false);
}

void ms_runtime_use_stamped_lane(struct ms_runtime_thread *t, const struct ms_wire_stream *stream,
				 struct ms_wire_lane *lane)
{
	if (!ms_runtime_timestamps.on)
		return;
	t->stamped = (struct ms_wire_stamped *)((uint8_t *)lane + stream->more_stamped_at);
	t->stamped_at = t->stamped_limit = t->stamped + t->lane.stamped % room;
}

void ms_runtime_leave_stamped_lane(struct ms_runtime_thread *t)
{
	t->stamped_at = t->stamped_limit = NULL;
}

static uint32_t minimum(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A quarter of the room at a time: then memspy is notified that there is something to read. */
bool ms_runtime_wait_for_stamped_room(struct ms_runtime_thread *t)
{
	uint32_t written = t->lane.stamped, quarter = room / 4;

	if (t->stamped_at == NULL)
		return false;
	if (t->stamped_at < t->stamped_limit)
		return true;
	uint32_t unread = written - __atomic_load_n(&t->lane.stamped_taken, __ATOMIC_SEQ_CST);
	if (unread >= quarter)
		ms_runtime_wake_merger();
	if (!ms_runtime_wait_for_reader(t, &t->lane.stamped_taken, written, room)) {
		ms_runtime_leave_stamped_lane(t);
		return false;
	}
	unread = written - __atomic_load_n(&t->lane.stamped_taken, __ATOMIC_SEQ_CST);
	t->stamped_at = t->stamped + written % room;
	t->stamped_limit = t->stamped_at + minimum(room - unread, quarter - written % quarter);
	return true;
}

/* Whether all executions of the thread that precede the event have been handed over. */
static bool may_write(const struct ms_runtime_thread *t)
{
	return t->stamped_at != NULL && !t->sampled.inside && (!t->traced || t->uses_scratch);
}

bool ms_runtime_write_stamped_event(struct ms_runtime_thread *t, uint32_t kind, uint32_t arg,
				    const uint64_t *words, uint32_t n)
{
	uint64_t word = 0;

	if ((kind != MS_WIRE_ALLOC && kind != MS_WIRE_FREE) || !may_write(t) ||
	    !ms_wire_can_stamp(words[0]))
		return false;
	if (kind == MS_WIRE_ALLOC) {
		if (n != 2 || words[1] >= MS_WIRE_PACKED_SIZES || arg >= MS_WIRE_PACKED_PATHS)
			return false;
		word = MS_WIRE_PACKED_ALLOC | (uint64_t)arg << MS_WIRE_PACKED_PATH_AT |
		       words[1] << MS_WIRE_PACKED_SIZE_AT;
	}
	if (!ms_runtime_wait_for_stamped_room(t))
		return false;
	ms_runtime_write_stamped(t, word, words[0]);
	return true;
}
