/*
 * stamp.c - allocations and frees of a program with several threads, while these are not traced:
 * each thread records them in its own memory, with a stamp, and memspy sorts them
 * (wire/stamped.h).
 *
 * Handing over a chunk for each of them, so that their order is known, took half a microsecond.
 */
#include "stamp.h"

#include "heap/heap.h"
#include "lane.h"
#include "plan.h"
#include "runtime/config.h"
#include "runtime/thread_state.h"
#include "sys.h"
#include "wire/stamped.h"
#include "wire/wire.h"

struct ms_stamps ms_stamps;

static uint64_t *counted; /* NULL: stamps are the counter's */
static uint32_t room;     /* blocks of a lane */

/*
 * Whether the counter advances between two consecutive reads, which take less time than one
 * thread's event and the event of another thread that follows it. The counter's frequency does not
 * determine that: it may advance by several at a time.
 */
static bool is_fine(void)
{
	enum { LOOKS = 100 };
	uint64_t last = ms_counter_behind(), next;
	uint32_t looks = 0;

	while (looks < LOOKS && (next = ms_counter_behind()) != last) {
		last = next;
		looks++;
	}
	return looks == LOOKS;
}

/* A coarse counter must advance before another thread can get a stamp after this one. */
uint64_t ms_stamp_unusual(void)
{
	if (counted != NULL)
		return __atomic_fetch_add(counted, 1, __ATOMIC_SEQ_CST);
	uint64_t stamp = ms_counter_behind();
	while (ms_counter_behind() == stamp)
		;
	return stamp;
}

/* If everything is traced, executions are between the blocks: both must be handed over together. */
bool ms_stamp_start(struct ms_wire_stream *stream)
{
	bool natively = ms_config.idle || (ms_config.period != 0 && !ms_plan_is_whole());

	if (stream->header_bytes < sizeof(*stream) || stream->stamps == MS_WIRE_STAMPS_NONE ||
	    !natively || ms_config.times)
		return false;
	room = stream->more_stamped;
	counted = stream->stamps == MS_WIRE_STAMPS_COUNTED ? &stream->stamp : NULL;
	ms_stamps.usual = counted == NULL && is_fine();
	ms_stamps.on = true;
	__atomic_store_n(&stream->stamping, 1, __ATOMIC_SEQ_CST);
	return true;
}

void ms_stamp_stop(struct ms_thread *t)
{
	ms_stamps.on = false;
	ms_stamp_leave(t);
	ms_plain_many(false);
}

void ms_stamp_use(struct ms_thread *t, const struct ms_wire_stream *stream,
		  struct ms_wire_lane *lane)
{
	if (!ms_stamps.on)
		return;
	t->stamped = (struct ms_wire_stamped *)((uint8_t *)lane + stream->more_stamped_at);
	t->stamped_at = t->stamped_limit = t->stamped + t->lane.stamped % room;
}

void ms_stamp_leave(struct ms_thread *t)
{
	t->stamped_at = t->stamped_limit = NULL;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* A quarter of the room at a time: then memspy is notified that there is something to read. */
bool ms_stamp_room(struct ms_thread *t)
{
	uint32_t told = t->lane.stamped, quarter = room / 4;

	if (t->stamped_at == NULL)
		return false;
	if (t->stamped_at < t->stamped_limit)
		return true;
	uint32_t unread = told - __atomic_load_n(&t->lane.stamped_taken, __ATOMIC_SEQ_CST);
	if (unread >= quarter)
		ms_lane_ring_bell();
	if (!ms_lane_wait(t, &t->lane.stamped_taken, told, room)) {
		ms_stamp_leave(t);
		return false;
	}
	unread = told - __atomic_load_n(&t->lane.stamped_taken, __ATOMIC_SEQ_CST);
	t->stamped_at = t->stamped + told % room;
	t->stamped_limit = t->stamped_at + least(room - unread, quarter - told % quarter);
	return true;
}

/* Whether all executions of the thread that precede the event have been handed over. */
static bool may_tell(const struct ms_thread *t)
{
	return t->stamped_at != NULL && !t->sampled.inside && (!t->traced || t->aside);
}

bool ms_stamp_event(struct ms_thread *t, uint32_t kind, uint32_t arg, const uint64_t *words,
		    uint32_t n)
{
	uint64_t word = 0;

	if ((kind != MS_WIRE_ALLOC && kind != MS_WIRE_FREE) || !may_tell(t) ||
	    !ms_wire_can_stamp(words[0]))
		return false;
	if (kind == MS_WIRE_ALLOC) {
		if (n != 2 || words[1] >= MS_WIRE_PACKED_SIZES || arg >= MS_WIRE_PACKED_PATHS)
			return false;
		word = MS_WIRE_PACKED_ALLOC | (uint64_t)arg << MS_WIRE_PACKED_PATH_AT |
		       words[1] << MS_WIRE_PACKED_SIZE_AT;
	}
	if (!ms_stamp_room(t))
		return false;
	ms_stamp_put(t, word, words[0]);
	return true;
}
