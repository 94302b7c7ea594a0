/*
 * schedule/stamp_order.c - merges chunks of several lanes, and the heap blocks that threads
 * reported in between, in the order of their stamps (wire/stamped.h).
 *
 * It works in rounds. Let A happen before B, and let B be visible with a stamp from before the
 * start of the round. Then A is visible, too: the thread that took B's stamp had seen A, which was
 * written by then. So a round finds all records that its records depend on. It writes everything
 * with a stamp from before its start, in order; the rest waits for the next round. A record that
 * is found late, with a lower stamp than one already written, is independent of that one, and may
 * follow it.
 *
 * A round visits each lane. So heap blocks alone do not start one until they fill a quarter of a
 * lane's ring; then the writer wakes the merger.
 */
#include "wire/stamped.h"

#include <time.h>

#include "base/vec.h"
#include "schedule/merge_priv.h"
#include "stream/futex.h"
#include "stream/timestamps.h"

/* A lane with heap blocks that were not copied yet. */
struct stamp_track {
	struct ms_wire_lane *lane;
	const struct ms_wire_stamped *blocks;
	uint32_t at, end;
	int64_t age; /* of the one at `at` */
};

struct stamped_handover {
	uint64_t handover, stamp;
};

struct rounds {
	struct ms_schedule_merger *m;
	uint64_t now;                              /* start of this round */
	MS_VEC(struct stamped_handover) handovers; /* not yet copied, in the order of stamps */
	MS_VEC(struct stamp_track) tracks;
	/* Index in the chunk of the record being written, plus 1; 0: none. */
	size_t open;
	uint64_t base;
};

/* --- input --- */

static uint64_t *order_of(const struct ms_schedule_merger *m)
{
	return (uint64_t *)(m->ring->base + m->ring->stream->order_at);
}

static uint64_t now(const struct ms_wire_stream *stream)
{
	if (stream->stamps == MS_WIRE_STAMPS_COUNTED)
		return __atomic_load_n(&stream->stamp, __ATOMIC_SEQ_CST);
	return ms_stream_timestamps_counter();
}

/* The chunk is announced, but the thread that hands it over may have been preempted. */
static uint64_t wait_for_handover(const struct ms_schedule_merger *m, uint64_t *at)
{
	const struct timespec soon = { 0, 20000 };
	uint64_t handover;

	while ((handover = __atomic_load_n(at, __ATOMIC_SEQ_CST)) == 0 &&
	       !__atomic_load_n(&m->stop, __ATOMIC_SEQ_CST))
		nanosleep(&soon, NULL);
	return handover;
}

static void add_handover(struct rounds *r, struct stamped_handover handover)
{
	size_t i = r->handovers.n;

	ms_vec_add(&r->handovers);
	for (; i > 0 && ms_wire_stamp_age(r->handovers.at[i - 1].stamp, handover.stamp) < 0; i--)
		r->handovers.at[i] = r->handovers.at[i - 1];
	r->handovers.at[i] = handover;
}

static void find_handovers(struct rounds *r)
{
	struct ms_schedule_merger *m = r->m;
	uint64_t handed_over = __atomic_load_n(&m->ring->stream->handed_over, __ATOMIC_SEQ_CST);
	uint64_t *order = order_of(m);

	for (; m->next < handed_over; m->next++) {
		uint64_t *at = &order[m->next % MS_WIRE_ORDERED];
		struct stamped_handover handover = { .handover = wait_for_handover(m, at) };

		handover.stamp = at[MS_WIRE_ORDERED]; /* written before the entry itself */
		__atomic_store_n(at, 0, __ATOMIC_SEQ_CST);
		if (handover.handover != 0) /* a killed process may have left an entry empty */
			add_handover(r, handover);
	}
}

static void look_at(struct rounds *r, struct stamp_track *t)
{
	uint32_t room = r->m->ring->stream->more_stamped;

	if (t->at != t->end)
		t->age = ms_wire_stamp_age(t->blocks[t->at % room].stamp >> MS_WIRE_STAMP_AT,
					   r->now);
}

static uint32_t lanes_used(const struct ms_wire_stream *stream)
{
	uint32_t used = __atomic_load_n(&stream->lanes_used, __ATOMIC_SEQ_CST);

	return used < stream->lane_count ? used : stream->lane_count;
}

static void find_blocks(struct rounds *r)
{
	const struct ms_wire_stream *stream = r->m->ring->stream;

	r->tracks.n = 0;
	for (uint32_t i = MS_WIRE_SHARED_LANE + 1; i < lanes_used(stream); i++) {
		struct ms_wire_lane *lane = ms_schedule_merge_lane(r->m->ring, i);
		struct stamp_track t = {
			.lane = lane,
			.blocks = (const struct ms_wire_stamped *)((const uint8_t *)lane +
								   stream->more_stamped_at),
			.at = lane->stamped_taken,
			.end = __atomic_load_n(&lane->stamped, __ATOMIC_ACQUIRE),
		};

		if (t.at == t.end || t.end - t.at > stream->more_stamped)
			continue;
		look_at(r, &t);
		*ms_vec_add(&r->tracks) = t;
	}
}

static bool is_due(const struct rounds *r)
{
	const struct ms_wire_stream *stream = r->m->ring->stream;

	if (r->handovers.n > 0 ||
	    r->m->next < __atomic_load_n(&stream->handed_over, __ATOMIC_SEQ_CST))
		return true;
	for (uint32_t i = MS_WIRE_SHARED_LANE + 1; i < lanes_used(stream); i++) {
		const struct ms_wire_lane *lane = ms_schedule_merge_lane(r->m->ring, i);
		uint32_t blocks =
			__atomic_load_n(&lane->stamped, __ATOMIC_SEQ_CST) - lane->stamped_taken;

		if (blocks >= stream->more_stamped / 4 && blocks <= stream->more_stamped)
			return true;
	}
	return false;
}

/* --- into the ring --- */

static void end_record(struct rounds *r)
{
	if (r->open != 0)
		r->m->out[r->open - 1] =
			ms_wire_head(MS_WIRE_PACKED, (uint32_t)(r->m->n - (r->open - 1)), 0);
	r->open = 0;
}

/* Returns false if the readers have gone. */
static bool begin_record(struct rounds *r, uint64_t address)
{
	enum { LEAST = 64 }; /* words; with less room, it begins a new chunk */
	const uint64_t half = UINT64_C(1) << (31 + MS_WIRE_PACKED_UNIT);

	end_record(r);
	if (!ms_schedule_merge_room(r->m, LEAST))
		return false;
	ms_schedule_merge_event(r->m, r->m->n);
	r->base = address < half ? 0 : address - half;
	r->open = r->m->n + 1;
	r->m->n++;
	r->m->out[r->m->n++] = r->base;
	return true;
}

static void put(struct rounds *r, const struct ms_wire_stamped *block)
{
	uint64_t address = ms_wire_stamped_address(block);
	uint64_t place = (address - r->base) >> MS_WIRE_PACKED_UNIT;

	if (r->open == 0 || place > UINT32_MAX || ms_schedule_merge_left(r->m) == 0) {
		if (!begin_record(r, address))
			return;
		place = (address - r->base) >> MS_WIRE_PACKED_UNIT;
	}
	r->m->out[r->m->n++] = (block->word & ~(uint64_t)UINT32_MAX) | place;
}

/* Returns the lane with the earliest heap block; *next: age of the earliest one of the others. */
static struct stamp_track *earliest(const struct rounds *r, int64_t *next)
{
	struct stamp_track *found = NULL;

	*next = INT64_MIN;
	for (size_t i = 0; i < r->tracks.n; i++) {
		struct stamp_track *t = &r->tracks.at[i];

		if (t->at == t->end)
			continue;
		if (found == NULL || t->age > found->age) {
			if (found != NULL)
				*next = found->age;
			found = t;
		} else if (t->age > *next) {
			*next = t->age;
		}
	}
	return found;
}

/* Copies the heap blocks that are older than `than`. */
static void put_older(struct rounds *r, int64_t than)
{
	uint32_t room = r->m->ring->stream->more_stamped;
	int64_t next;
	struct stamp_track *t;

	while ((t = earliest(r, &next)) != NULL && t->age > than)
		while (t->at != t->end && t->age > than && t->age >= next) {
			put(r, &t->blocks[t->at++ % room]);
			look_at(r, t);
		}
	end_record(r);
}

/* --- rounds --- */

static void give_back(struct rounds *r)
{
	for (size_t i = 0; i < r->tracks.n; i++) {
		struct stamp_track *t = &r->tracks.at[i];

		if (t->at == t->lane->stamped_taken)
			continue;
		__atomic_store_n(&t->lane->stamped_taken, t->at, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&t->lane->writer_sleeps, __ATOMIC_SEQ_CST))
			ms_stream_futex_wake(&t->lane->stamped_taken);
	}
}

static void go_round(struct rounds *r)
{
	size_t taken = 0;

	r->now = now(r->m->ring->stream);
	find_handovers(r);
	find_blocks(r);
	ms_schedule_merge_shared(r->m);
	for (; taken < r->handovers.n; taken++) {
		int64_t age = ms_wire_stamp_age(r->handovers.at[taken].stamp, r->now);

		if (age <= 0)
			break;
		put_older(r, age);
		ms_schedule_merge_take(r->m, r->handovers.at[taken].handover);
	}
	put_older(r, 0);
	give_back(r);
	r->handovers.n -= taken;
	for (size_t i = 0; i < r->handovers.n; i++)
		r->handovers.at[i] = r->handovers.at[taken + i];
}

void ms_schedule_merge_stamped(struct ms_schedule_merger *m)
{
	struct ms_wire_stream *stream = m->ring->stream;
	struct rounds r = { .m = m };
	bool stop = false;

	while (!stop) {
		uint32_t bell = __atomic_load_n(&stream->merger_bell, __ATOMIC_SEQ_CST);

		stop = __atomic_load_n(&m->stop, __ATOMIC_SEQ_CST);
		if (stop || is_due(&r)) {
			go_round(&r);
			continue;
		}
		ms_schedule_merge_hand_over(m);
		__atomic_store_n(&stream->merger_sleeps, 1, __ATOMIC_SEQ_CST);
		if (!is_due(&r) && !__atomic_load_n(&m->stop, __ATOMIC_SEQ_CST))
			ms_stream_futex_wait(&stream->merger_bell, bell);
	}
	ms_vec_free(&r.handovers);
	ms_vec_free(&r.tracks);
}
