#include "schedule/open_chunks.h"

#include <string.h>
#include <time.h>

enum {
	FINE_CHUNKS = 4, /* after a contention: not all records are examined */
	LOOK_AHEAD = 4,  /* chunks of the queue */
	MOST_DROPPED = 1024,
	WAIT_NS = 20 * 1000,
	MOST_WAITS = 50 * 1000, /* a second: then the readers are gone */
};

static void take_handover(struct ms_schedule_interleaver *s, uint64_t handover)
{
	uint32_t lane = (uint32_t)handover & ~MS_WIRE_IN_ORDER;

	s->in_order = handover & MS_WIRE_IN_ORDER;
	if (lane <= MS_WIRE_SHARED_LANE || lane >= s->m->ring->stream->lane_count) {
		if (lane == MS_WIRE_SHARED_LANE)
			ms_schedule_merge_shared(s->m);
		return;
	}
	struct ms_schedule_track *t = &s->tracks[lane];
	if (!t->known) {
		t->known = true;
		*ms_vec_add(&s->lanes) = lane;
	}
	if (ms_schedule_is_ordered(s)) {
		*ms_vec_add(&s->queue) = (struct ms_schedule_queued_chunk){ .lane = lane,
									    .index = t->given,
									    .number = ++s->queued };
		s->changed = true;
	}
	t->threads[t->given++ % MS_SCHEDULE_MOST_CHUNKS] = (uint32_t)(handover >> 32);
	t->lost = false;
}

void ms_schedule_take_handovers(struct ms_schedule_interleaver *s)
{
	struct ms_wire_stream *stream = s->m->ring->stream;
	uint64_t *order = (uint64_t *)(s->m->ring->base + stream->order_at);
	bool stop = __atomic_load_n(&s->m->stop, __ATOMIC_SEQ_CST);

	while (!s->in_order) {
		uint64_t *at = &order[s->m->next % MS_WIRE_ORDERED];
		/* Between short slices there is nothing new, so it stores only if there is. */
		uint64_t handover = __atomic_load_n(at, __ATOMIC_SEQ_CST);

		if (handover != 0)
			__atomic_store_n(at, 0, __ATOMIC_SEQ_CST);
		/* A killed process may have left an entry empty. */
		if (handover == 0 && (!stop || s->m->next >= stream->handed_over))
			return;
		s->m->next++;
		if (handover != 0)
			take_handover(s, handover);
	}
}

static void on_contention(void *arg, uint32_t lane)
{
	struct ms_schedule_interleaver *s = arg;

	if (lane < s->m->ring->stream->lane_count)
		s->tracks[lane].fights = FINE_CHUNKS;
}

bool ms_schedule_is_window_end(const struct ms_schedule_track *t)
{
	return t->at < t->n && ms_wire_kind_of(t->words[t->at]) == MS_WIRE_WINDOW_CLOSE;
}

static uint32_t *last_of(const struct ms_schedule_interleaver *s, uint32_t thread)
{
	const struct ms_schedule_merge_processors *p = &s->m->processors;

	if (s->last == NULL)
		return NULL;
	return &s->last[ms_wire_processor(thread, p->map, p->n, p->count)];
}

void ms_schedule_open_chunk(struct ms_schedule_interleaver *s, uint32_t lane_number)
{
	struct ms_schedule_track *t = &s->tracks[lane_number];
	const struct ms_stream_ring *ring = s->m->ring;
	const struct ms_wire_lane *lane = ms_schedule_merge_lane(ring, lane_number);
	uint32_t thread = t->threads[t->taken % MS_SCHEDULE_MOST_CHUNKS];

	ms_schedule_merge_shared(s->m);
	if (thread != t->thread)
		t->instructions = t->clock_sent = 0;
	t->thread = thread;
	t->last = last_of(s, thread);
	t->words = ms_schedule_merge_chunk(ring, lane, lane->freed);
	t->n = ms_schedule_merge_length(ring, lane, lane->freed);
	t->at = 0;
	t->open = true;
	t->taken++;
	s->open++;

	uint32_t kind = t->n > 0 ? ms_wire_kind_of(t->words[0]) : MS_WIRE_EXEC;
	if (kind == MS_WIRE_SWITCH) /* it enters a window; the thread is known already */
		t->at = ms_wire_words_of(t->words[0]);
	if ((kind == MS_WIRE_THREAD || kind == MS_WIRE_WAKE || kind == MS_WIRE_SWITCH) &&
	    t->time < s->now)
		t->time = s->now;
	t->closes = ms_schedule_is_window_end(t);
	if (t->fights > 0)
		t->fights--;
	t->seen = ms_schedule_contention_record(s->contend, lane_number, t->words, t->n, s->exits,
						on_contention, s);
	if (t->seen.fights)
		t->fights = FINE_CHUNKS;
}

/* --- hand-offs, where threads are executed one at a time --- */

static void forget_examined(struct ms_schedule_interleaver *s)
{
	ms_schedule_hand_offs_clear(s->hand_offs);
	for (size_t i = 0; i < s->lanes.n; i++)
		s->tracks[s->lanes.at[i]].examined = false;
	for (size_t i = s->queue_from; i < s->queue.n; i++)
		s->queue.at[i].examined = false;
}

void ms_schedule_close_chunk(struct ms_schedule_interleaver *s, struct ms_schedule_track *t)
{
	ms_schedule_merge_release(ms_schedule_merge_lane(s->m->ring, (uint32_t)(t - s->tracks)));
	t->open = false;
	s->changed = true;
	if (--s->open > 0 || !ms_schedule_is_ordered(s))
		return;
	forget_examined(s);
	s->in_sequence = false;
}

bool ms_schedule_is_chunk_there(const void *interleaver, uint32_t lane, uint64_t number)
{
	const struct ms_schedule_interleaver *s = interleaver;
	const struct ms_schedule_track *t = &s->tracks[lane];

	return number > t->number || (number == t->number && t->open);
}

/* Whether an open chunk touches contended lines. */
static bool is_contended(const struct ms_schedule_interleaver *s)
{
	for (size_t i = 0; i < s->lanes.n; i++)
		if (s->tracks[s->lanes.at[i]].open && s->tracks[s->lanes.at[i]].fights > 0)
			return true;
	return false;
}

/* The number of the open chunk that was executed last; 0: none is open. */
static uint64_t find_newest(const struct ms_schedule_interleaver *s)
{
	uint64_t newest = 0;

	for (size_t i = 0; i < s->lanes.n; i++) {
		const struct ms_schedule_track *t = &s->tracks[s->lanes.at[i]];

		if (t->open && t->number > newest)
			newest = t->number;
	}
	return newest;
}

static void open_queued_chunk(struct ms_schedule_interleaver *s,
			      struct ms_schedule_queued_chunk *chunk)
{
	struct ms_schedule_track *t = &s->tracks[chunk->lane];

	ms_schedule_open_chunk(s, chunk->lane);
	t->number = chunk->number;
	t->examined = chunk->examined;
	ms_schedule_free_order(&t->order);
	t->order = chunk->order;
	t->next_hand_off = t->next_unit = 0;
	chunk->opened = true;
	s->changed = true;
}

static void drop_opened(struct ms_schedule_interleaver *s)
{
	while (s->queue_from < s->queue.n && s->queue.at[s->queue_from].opened)
		s->queue_from++;
	if (s->queue_from < s->queue.n && s->queue_from < MOST_DROPPED)
		return;
	s->queue.n -= s->queue_from;
	memmove(s->queue.at, s->queue.at + s->queue_from, s->queue.n * sizeof(*s->queue.at));
	s->queue_from = 0;
}

/* Opens chunks in the order of execution, up to the second one of a lane. */
static void open_next_chunks(struct ms_schedule_interleaver *s)
{
	for (drop_opened(s); s->queue_from < s->queue.n; drop_opened(s)) {
		struct ms_schedule_queued_chunk *next = &s->queue.at[s->queue_from];

		if (s->tracks[next->lane].open ||
		    (s->in_sequence && s->open > 0 && find_newest(s) < next->number))
			break;
		open_queued_chunk(s, next);
	}
}

/* The open chunk that was executed first, of those that are not examined yet or of all. */
static struct ms_schedule_track *find_oldest(const struct ms_schedule_interleaver *s,
					     bool unexamined)
{
	struct ms_schedule_track *oldest = NULL;

	for (size_t i = 0; i < s->lanes.n; i++) {
		struct ms_schedule_track *t = &s->tracks[s->lanes.at[i]];

		if (t->open && !(unexamined && t->examined) &&
		    (oldest == NULL || t->number < oldest->number))
			oldest = t;
	}
	return oldest;
}

/* The next one that is not open and not examined; only some are examined in advance. */
static struct ms_schedule_queued_chunk *find_queued(const struct ms_schedule_interleaver *s)
{
	size_t end = s->queue_from + LOOK_AHEAD;

	for (size_t i = s->queue_from; i < s->queue.n && i < end; i++)
		if (!s->queue.at[i].opened && !s->queue.at[i].examined)
			return &s->queue.at[i];
	return NULL;
}

/* The number of the first chunk that is not copied as a whole. */
static uint64_t find_oldest_number(const struct ms_schedule_interleaver *s)
{
	const struct ms_schedule_track *oldest = find_oldest(s, false);

	if (oldest != NULL)
		return oldest->number;
	return s->queue_from < s->queue.n ? s->queue.at[s->queue_from].number : 0;
}

static void copy_order(struct ms_schedule_copied_order *to,
		       const struct ms_schedule_chunk_order *from)
{
	to->hand_offs.n = to->units.n = 0;
	for (uint32_t i = 0; i < from->hand_offs; i++)
		*ms_vec_add(&to->hand_offs) = from->hand_off[i];
	for (uint32_t i = 0; i < from->units; i++)
		*ms_vec_add(&to->units) = from->unit[i];
	to->shares = from->shares;
	to->follows_all = from->follows_all;
}

void ms_schedule_free_order(struct ms_schedule_copied_order *order)
{
	ms_vec_free(&order->hand_offs);
	ms_vec_free(&order->units);
}

/* The readers of the stream describe blocks (ms_stream_ring_set_exit_refs()). They may not have
 * come to a new one: then they get what is here, and this thread waits. */
static bool examine_chunk(struct ms_schedule_interleaver *s,
			  const struct ms_schedule_merged_chunk *chunk,
			  struct ms_schedule_copied_order *copy)
{
	const struct timespec soon = { 0, WAIT_NS };
	struct ms_schedule_chunk_order order;
	enum ms_schedule_hand_off_result result;

	for (uint32_t waits = 0;
	     (result = ms_schedule_hand_offs_add(s->hand_offs, chunk, &order)) ==
		     MS_SCHEDULE_UNDESCRIBED &&
	     waits < MOST_WAITS;
	     waits++) {
		ms_schedule_merge_shared(s->m);
		ms_schedule_merge_hand_over(s->m);
		nanosleep(&soon, NULL);
	}
	if (result == MS_SCHEDULE_ORDERED)
		copy_order(copy, &order);
	return result == MS_SCHEDULE_ORDERED;
}

static bool examine_open_chunk(struct ms_schedule_interleaver *s, struct ms_schedule_track *t)
{
	const struct ms_schedule_merged_chunk chunk = {
		.lane = (uint32_t)(t - s->tracks),
		.number = t->number,
		.oldest = find_oldest_number(s),
		.words = t->words,
		.n = t->n,
	};

	t->examined = true;
	t->next_hand_off = t->next_unit = 0;
	return examine_chunk(s, &chunk, &t->order);
}

static bool examine_queued_chunk(struct ms_schedule_interleaver *s,
				 struct ms_schedule_queued_chunk *queued)
{
	const struct ms_schedule_track *t = &s->tracks[queued->lane];
	const struct ms_stream_ring *ring = s->m->ring;
	const struct ms_wire_lane *lane = ms_schedule_merge_lane(ring, queued->lane);
	uint32_t at = lane->freed + queued->index - t->taken + (t->open ? 1 : 0);
	const struct ms_schedule_merged_chunk chunk = {
		.lane = queued->lane,
		.number = queued->number,
		.oldest = find_oldest_number(s),
		.words = ms_schedule_merge_chunk(ring, lane, at),
		.n = ms_schedule_merge_length(ring, lane, at),
	};

	queued->examined = true;
	return examine_chunk(s, &chunk, &queued->order);
}

/* In the order of execution. When there are too many words, those of chunks that are closed by now
 * are dropped; when synchronisation words become known, what earlier chunks protect with them is
 * found. */
static void examine_chunks(struct ms_schedule_interleaver *s)
{
	bool again = false;

	for (;;) {
		struct ms_schedule_track *open = find_oldest(s, true);
		struct ms_schedule_queued_chunk *queued = find_queued(s);
		bool done, follows_all;

		if (open == NULL && queued == NULL)
			return;
		if (queued != NULL && (open == NULL || queued->number < open->number)) {
			done = examine_queued_chunk(s, queued);
			follows_all = queued->order.follows_all;
		} else {
			done = examine_open_chunk(s, open);
			follows_all = open->order.follows_all;
		}
		if (done && (again || !follows_all))
			continue;
		s->in_sequence = again;
		if (again)
			return;
		again = true;
		forget_examined(s);
	}
}

/*
 * A thread may have executed several chunks before another one had its turn. Where the threads
 * share lines and no word, they are merged as if both had been executed at the same time: the first
 * chunk of each thread is opened. Otherwise its order is kept.
 */
static void open_ahead(struct ms_schedule_interleaver *s)
{
	for (size_t i = s->queue_from; i < s->queue.n && i < s->queue_from + LOOK_AHEAD; i++) {
		struct ms_schedule_queued_chunk *chunk = &s->queue.at[i];
		const struct ms_schedule_track *t = &s->tracks[chunk->lane];

		if (!chunk->opened && chunk->examined && !chunk->order.shares && !t->open &&
		    chunk->index == t->taken)
			open_queued_chunk(s, chunk);
	}
}

void ms_schedule_open_queue(struct ms_schedule_interleaver *s)
{
	if (!s->changed)
		return;
	open_next_chunks(s);
	s->changed = false;
	s->contended = is_contended(s);
	if (s->open == 0 || s->in_sequence || !s->contended)
		return;
	examine_chunks(s);
	open_ahead(s);
	s->contended = is_contended(s);
}

struct ms_schedule_track *ms_schedule_find_oldest(const struct ms_schedule_interleaver *s)
{
	return find_oldest(s, false);
}

/* Whether what it waits for has been copied. */
static bool is_reached(const struct ms_schedule_interleaver *s,
		       const struct ms_schedule_hand_off *h)
{
	const struct ms_schedule_track *t = &s->tracks[h->lane];

	return t->number > h->number || (t->number == h->number && (!t->open || t->at > h->after));
}

size_t ms_schedule_find_stop(const struct ms_schedule_interleaver *s, struct ms_schedule_track *t)
{
	if (t->order.follows_all && find_oldest(s, false) != t)
		return t->at;
	for (; t->next_hand_off < t->order.hand_offs.n; t->next_hand_off++) {
		const struct ms_schedule_hand_off *h = &t->order.hand_offs.at[t->next_hand_off];

		if (!is_reached(s, h))
			return h->at;
	}
	return t->n;
}

bool ms_schedule_is_in_unit(struct ms_schedule_track *t)
{
	while (t->next_unit < t->order.units.n && t->order.units.at[t->next_unit].to < t->at)
		t->next_unit++;
	return t->next_unit < t->order.units.n && t->order.units.at[t->next_unit].from < t->at;
}
