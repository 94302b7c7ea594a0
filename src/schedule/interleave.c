/*
 * schedule/interleave.c - interleaves threads on several simulated processors in the order of
 * virtual time.
 *
 * The time of a thread is the number of instructions that it has executed. A thread that was woken
 * or created starts at the present time of the others. The thread with the least time comes next.
 * It gets some dozen instructions if its chunk touches contended lines (contention.h), else its
 * whole chunk: the order makes no difference then, and each switch costs the reader of the stream
 * time.
 *
 * If a running thread has no chunk here yet and may have the least time, the merger waits for it.
 * Threads with more time find their lanes full, and wait, too. Waiting threads have announced it,
 * and so have threads of a sampled program outside of windows. A thread that enters a window
 * announces that by a MS_WIRE_SWITCH to itself at the start of a chunk, and starts like one that
 * was woken.
 *
 * Where threads are executed one at a time, the order never contradicts that of the execution
 * where one thread may have waited for another: chunks that are not contended are taken in the
 * order of execution, and of others, what uses a word that an earlier chunk has written comes after
 * it (hand_offs.h).
 *
 * Not modelled: in windows of a sampled program, a thread's references may depend on what another
 * thread did in the same chunk. Their order can be wrong by one chunk of a lane.
 */
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/vec.h"
#include "schedule/contention.h"
#include "schedule/hand_offs.h"
#include "schedule/merge_priv.h"
#include "stream/futex.h"

enum {
	SLICE = 48,
	MOST_CHUNKS = 64,
	PATIENCE_MS = 100,
	FINE_CHUNKS = 4, /* after a contention: not all records are examined */
};

struct track {
	uint32_t thread;               /* of the open chunk */
	uint32_t threads[MOST_CHUNKS]; /* of the next chunks, by number */
	uint32_t taken, given;         /* numbers of chunks that were opened, and handed over */
	bool known, open, lost;
	bool closes;     /* a window's end comes next: all that is here belongs to the window */
	uint32_t fights; /* number of chunks, from the open one on, that are treated as contended */
	const uint64_t *words;
	size_t n, at;
	struct ms_schedule_contention_result seen; /* of the open chunk */
	uint64_t time;
	uint64_t instructions;
	uint64_t clock_sent; /* value at the last clock record */
	uint32_t *last;      /* points to the lane that ran last on its processor; NULL: unknown */
	/* Where threads are executed one at a time, of the open chunk: */
	uint64_t number; /* in the order of execution */
	bool examined;   /* for hand-offs, which it takes in order from the list: */
	struct ms_schedule_hand_off_list hand_offs;
	size_t next_hand_off;
};

struct interleaver {
	struct ms_schedule_merger *m;
	struct track *tracks;   /* by lane */
	MS_VEC(uint32_t) lanes; /* lanes in use */
	bool in_order;          /* everything here must be written before later chunks */
	uint64_t now;
	uint64_t seed;
	uint32_t before; /* the thread that ran before this one */
	uint32_t *last;  /* by processor: the lane that ran there last; NULL: unknown */
	const uint16_t *exits;
	struct ms_schedule_contention *contend;
	/* Where threads are executed one at a time: */
	MS_VEC(uint32_t)
	queue; /* lanes of chunks that are not open yet, in the order of execution */
	size_t queue_from;
	uint64_t opened; /* number of chunks */
	size_t open;
	struct ms_schedule_hand_offs *hand_offs;
	bool in_sequence; /* hand-offs are not known: until no chunk is open */
};

static bool is_ordered(const struct interleaver *s)
{
	return s->m->processors.executed_in_order;
}

/* --- clocks --- */

static void tell_clock(struct interleaver *s, struct track *t)
{
	t->clock_sent = t->instructions;
	if (!ms_schedule_merge_room(s->m, 2))
		return;
	ms_schedule_merge_event(s->m, s->m->n);
	s->m->out[s->m->n++] = ms_wire_head(MS_WIRE_CLOCK, 2, t->thread);
	s->m->out[s->m->n++] = t->instructions;
}

static void send_changed_clocks(struct interleaver *s, struct track *t)
{
	if (t->clock_sent != t->instructions)
		tell_clock(s, t);
}

/* Writes the clocks before an event that depends on them. */
static void tell_clocks(struct interleaver *s)
{
	for (size_t i = 0; i < s->lanes.n; i++)
		send_changed_clocks(s, &s->tracks[s->lanes.at[i]]);
}

/* Another thread runs. Slices of some dozen instructions need no clock, unless a thread takes the
 * processor of another one. */
static void tell_switch(struct interleaver *s, struct track *from, const struct track *to)
{
	uint32_t lane = (uint32_t)(to - s->tracks);

	if (to->last == NULL && from != NULL && from != to)
		tell_clock(s, from);
	if (to->last == NULL || *to->last == lane)
		return;
	if (*to->last != 0)
		send_changed_clocks(s, &s->tracks[*to->last]);
	*to->last = lane;
}

/* --- chunks --- */

static void take_handover(struct interleaver *s, uint64_t handover)
{
	uint32_t lane = (uint32_t)handover & ~MS_WIRE_IN_ORDER;

	s->in_order = handover & MS_WIRE_IN_ORDER;
	if (lane <= MS_WIRE_SHARED_LANE || lane >= s->m->ring->stream->lane_count) {
		if (lane == MS_WIRE_SHARED_LANE)
			ms_schedule_merge_shared(s->m);
		return;
	}
	struct track *t = &s->tracks[lane];
	if (!t->known) {
		t->known = true;
		*ms_vec_add(&s->lanes) = lane;
	}
	t->threads[t->given++ % MOST_CHUNKS] = (uint32_t)(handover >> 32);
	t->lost = false;
	if (is_ordered(s))
		*ms_vec_add(&s->queue) = lane;
}

/* Takes all chunks that were handed over by now, up to an event whose order must be kept. */
static void take_turns(struct interleaver *s)
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
	struct interleaver *s = arg;

	if (lane < s->m->ring->stream->lane_count)
		s->tracks[lane].fights = FINE_CHUNKS;
}

static bool is_window_end(const struct track *t)
{
	return t->at < t->n && ms_wire_kind_of(t->words[t->at]) == MS_WIRE_WINDOW_CLOSE;
}

static uint32_t *last_of(const struct interleaver *s, uint32_t thread)
{
	const struct ms_schedule_merge_processors *p = &s->m->processors;

	if (s->last == NULL)
		return NULL;
	return &s->last[ms_wire_processor(thread, p->map, p->n, p->count)];
}

static void open_chunk(struct interleaver *s, uint32_t lane_number)
{
	struct track *t = &s->tracks[lane_number];
	const struct ms_stream_ring *ring = s->m->ring;
	const struct ms_wire_lane *lane = ms_schedule_merge_lane(ring, lane_number);
	uint32_t thread = t->threads[t->taken % MOST_CHUNKS];

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
	t->number = s->opened++;
	t->examined = false;
	t->hand_offs.at.n = t->next_hand_off = 0;
	s->open++;

	uint32_t kind = t->n > 0 ? ms_wire_kind_of(t->words[0]) : MS_WIRE_EXEC;
	if (kind == MS_WIRE_SWITCH) /* it enters a window; the thread is known already */
		t->at = ms_wire_words_of(t->words[0]);
	if ((kind == MS_WIRE_THREAD || kind == MS_WIRE_WAKE || kind == MS_WIRE_SWITCH) &&
	    t->time < s->now)
		t->time = s->now;
	t->closes = is_window_end(t);
	if (t->fights > 0)
		t->fights--;
	t->seen = ms_schedule_contention_record(s->contend, lane_number, t->words, t->n, s->exits,
						on_contention, s);
	if (t->seen.fights)
		t->fights = FINE_CHUNKS;
}

static void close_chunk(struct interleaver *s, struct track *t)
{
	ms_schedule_merge_release(ms_schedule_merge_lane(s->m->ring, (uint32_t)(t - s->tracks)));
	t->open = false;
	send_changed_clocks(s, t);
	if (--s->open > 0 || !is_ordered(s))
		return;
	ms_schedule_hand_offs_clear(s->hand_offs);
	s->in_sequence = false;
}

/* --- hand-offs, where threads are executed one at a time --- */

/* Opens chunks in the order of execution, up to the second one of a lane. */
static void open_next_chunks(struct interleaver *s)
{
	while (!(s->in_sequence && s->open > 0) && s->queue_from < s->queue.n &&
	       !s->tracks[s->queue.at[s->queue_from]].open)
		open_chunk(s, s->queue.at[s->queue_from++]);
	if (s->queue_from == s->queue.n)
		s->queue_from = s->queue.n = 0;
}

/* The open chunk that was executed first, of those that are not examined yet or of all. */
static struct track *find_oldest(const struct interleaver *s, bool unexamined)
{
	struct track *oldest = NULL;

	for (size_t i = 0; i < s->lanes.n; i++) {
		struct track *t = &s->tracks[s->lanes.at[i]];

		if (t->open && !(unexamined && t->examined) &&
		    (oldest == NULL || t->number < oldest->number))
			oldest = t;
	}
	return oldest;
}

static bool examine_chunk(struct interleaver *s, struct track *t)
{
	const struct ms_schedule_merged_chunk chunk = {
		.lane = (uint32_t)(t - s->tracks),
		.number = t->number,
		.words = t->words,
		.n = t->n,
	};

	t->examined = true;
	t->next_hand_off = 0;
	return ms_schedule_hand_offs_add(s->hand_offs, &chunk, &t->hand_offs);
}

static void forget_examined(struct interleaver *s)
{
	ms_schedule_hand_offs_clear(s->hand_offs);
	for (size_t i = 0; i < s->lanes.n; i++)
		s->tracks[s->lanes.at[i]].examined = false;
}

/* When there are too many words, those of chunks that are closed by now are dropped. */
static void examine_chunks(struct interleaver *s)
{
	struct track *t;
	bool again = false;

	while ((t = find_oldest(s, true)) != NULL) {
		if (examine_chunk(s, t))
			continue;
		s->in_sequence = again;
		if (again)
			return;
		again = true;
		forget_examined(s);
	}
}

/* Whether what it waits for has been copied. */
static bool is_reached(const struct interleaver *s, const struct ms_schedule_hand_off *h)
{
	const struct track *t = &s->tracks[h->lane];

	return !t->open || t->number != h->number || t->at > h->after;
}

/* The word of the chunk up to which it may be copied now. */
static size_t find_stop(const struct interleaver *s, struct track *t)
{
	for (; t->next_hand_off < t->hand_offs.at.n; t->next_hand_off++) {
		const struct ms_schedule_hand_off *h = &t->hand_offs.at.at[t->next_hand_off];

		if (!is_reached(s, h))
			return h->at;
	}
	return t->n;
}

static bool is_contended(const struct interleaver *s)
{
	for (size_t i = 0; i < s->lanes.n; i++)
		if (s->tracks[s->lanes.at[i]].open && s->tracks[s->lanes.at[i]].fights > 0)
			return true;
	return false;
}

/* --- records --- */

/* Events that change which thread runs, or how its instructions count. */
static const bool of_time[MS_WIRE_KINDS] = {
	[MS_WIRE_THREAD] = true,      [MS_WIRE_THREAD_END] = true,   [MS_WIRE_WAIT] = true,
	[MS_WIRE_WAKE] = true,        [MS_WIRE_SPIN] = true,         [MS_WIRE_AFFINITY] = true,
	[MS_WIRE_WINDOW_OPEN] = true, [MS_WIRE_WINDOW_CLOSE] = true,
};

static void copy_event(struct interleaver *s, struct track *t, const uint64_t *words, size_t n)
{
	uint32_t kind = ms_wire_kind_of(words[0]);

	if (s->last != NULL && kind < MS_WIRE_KINDS && of_time[kind])
		tell_clocks(s);
	if (kind == MS_WIRE_WAIT || kind == MS_WIRE_THREAD_END || kind == MS_WIRE_WINDOW_CLOSE)
		tell_clock(s, t);
	if (!ms_schedule_merge_room(s->m, n))
		return;
	ms_schedule_merge_event(s->m, s->m->n);
	ms_schedule_merge_copy(s->m, words, n);
	/* An unknown waker is the thread that ran just before. */
	if (kind == MS_WIRE_WAKE && words[1] == MS_WIRE_NO_THREAD && s->before != 0)
		s->m->out[s->m->n - 1] = s->before;
}

/* Returns whether there is a complete execution. */
static bool is_execution(const struct track *t, size_t at, size_t stop)
{
	return at < stop && ms_wire_kind_of(t->words[at]) == MS_WIRE_EXEC &&
	       ms_wire_words_of(t->words[at]) > 0 && ms_wire_words_of(t->words[at]) <= t->n - at;
}

/* Copies executions of about `length` instructions, up to the next event; returns the number of
 * instructions. */
static uint32_t copy_executions(struct interleaver *s, struct track *t, uint32_t length,
				size_t stop)
{
	size_t from = t->at, at = from;
	uint32_t done = 0;

	if (from == 0 && length == UINT32_MAX &&
	    stop == t->n) { /* ms_schedule_contention_record() has counted these */
		at = t->seen.executions;
		done = t->seen.instructions;
	}
	for (; done < length && is_execution(t, at, stop); at += ms_wire_words_of(t->words[at])) {
		uint32_t exit = ms_wire_arg_of(t->words[at]);

		done += exit < MS_WIRE_EXITS ? s->exits[exit] : 0;
	}
	t->at = at;
	if (ms_schedule_merge_room(s->m, at - from))
		ms_schedule_merge_copy(s->m, t->words + from, at - from);
	return done;
}

/* Copies any other record. */
static void copy_other(struct interleaver *s, struct track *t)
{
	const uint64_t *words = t->words + t->at;
	size_t n = ms_wire_words_of(words[0]);

	if (n == 0 || n > t->n - t->at || ms_wire_kind_of(words[0]) == MS_WIRE_EXEC) {
		t->at = t->n; /* malformed; the reader gets nothing more of the chunk */
		return;
	}
	t->at += n;
	copy_event(s, t, words, n);
}

/* The start or the wake-up of a thread is written before the switch to it. */
static bool begins(const struct track *t)
{
	uint32_t kind = t->at < t->n ? ms_wire_kind_of(t->words[t->at]) : MS_WIRE_EXEC;

	return kind == MS_WIRE_THREAD || kind == MS_WIRE_WAKE;
}

static uint32_t slice_length(struct interleaver *s)
{
	s->seed = s->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return SLICE + (uint32_t)(s->seed >> 33) % SLICE;
}

static void copy_slice(struct interleaver *s, struct track *t, struct track **running)
{
	uint32_t length = t->fights > 0 && !s->in_sequence ? slice_length(s) : UINT32_MAX, done = 0;
	size_t stop = find_stop(s, t);

	tell_switch(s, *running, t);
	if (*running != NULL && *running != t)
		s->before = (*running)->thread;
	*running = t;
	if (begins(t))
		copy_other(s, t);
	ms_schedule_merge_switch(s->m, t->thread);
	while (t->at < stop && done < length && !(is_window_end(t) && done > 0)) {
		if (ms_wire_kind_of(t->words[t->at]) == MS_WIRE_THREAD_END)
			*running = NULL;
		if (!is_execution(t, t->at, stop)) {
			copy_other(s, t);
			continue;
		}
		uint32_t n = copy_executions(s, t, length - done, stop);

		done += n;
		t->time += n;
		t->instructions += n;
	}
	t->closes = is_window_end(t);
	if (t->at >= t->n)
		close_chunk(s, t);
}

/* --- choice of the next thread --- */

static bool is_away(const struct interleaver *s, uint32_t lane)
{
	const struct ms_wire_lane *l = ms_schedule_merge_lane(s->m->ring, lane);

	return __atomic_load_n(&l->away, __ATOMIC_SEQ_CST) != 0 ||
	       __atomic_load_n(&l->thread, __ATOMIC_SEQ_CST) == 0;
}

static bool comes_before(const struct track *a, const struct track *b)
{
	return a->closes != b->closes ? b->closes : a->time < b->time;
}

/* Whether the next record of an open chunk may be copied now. */
static bool may_continue(const struct interleaver *s, struct track *t)
{
	return t->at >= t->n || find_stop(s, t) > t->at;
}

/* Returns the open track with the least time. */
static struct track *find_least(struct interleaver *s)
{
	struct track *next = NULL;

	for (size_t i = 0; i < s->lanes.n; i++) {
		struct track *t = &s->tracks[s->lanes.at[i]];

		if (!is_ordered(s) && !t->open && t->taken != t->given)
			open_chunk(s, s->lanes.at[i]);
		if (t->open && may_continue(s, t) && (next == NULL || comes_before(t, next)))
			next = t;
	}
	return next;
}

/* Returns one that runs, has no chunk here, and may have less time. */
static struct track *find_late(const struct interleaver *s, const struct track *next)
{
	struct track *late = NULL;

	for (size_t i = 0; i < s->lanes.n; i++) {
		struct track *t = &s->tracks[s->lanes.at[i]];

		if (!t->open && t->taken == t->given && !t->lost &&
		    (next == NULL || t->time < next->time) && !is_away(s, s->lanes.at[i]))
			late = t;
	}
	return late;
}

/* Returns the track that comes next; *lags: one that it must wait for. */
static struct track *find_next(struct interleaver *s, struct track **lags)
{
	*lags = NULL;
	if (is_ordered(s)) {
		open_next_chunks(s);
		if (s->open > 0 && !s->in_sequence && is_contended(s))
			examine_chunks(s);
		if (s->open > 0 && (s->in_sequence || !is_contended(s)))
			return find_oldest(s, false);
	}
	struct track *next = find_least(s);

	*lags = find_late(s, next);
	return next;
}

/* Returns false after a timeout. */
static bool wait_for_more(struct interleaver *s, uint32_t bell, bool patiently)
{
	struct ms_wire_stream *stream = s->m->ring->stream;
	const struct timespec limit = { 0, PATIENCE_MS * 1000000L };
	uint64_t *order = (uint64_t *)(s->m->ring->base + stream->order_at);

	__atomic_store_n(&stream->merger_sleeps, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&order[s->m->next % MS_WIRE_ORDERED], __ATOMIC_SEQ_CST) != 0 ||
	    __atomic_load_n(&s->m->stop, __ATOMIC_SEQ_CST))
		return true;
	return ms_stream_futex_wait_for(&stream->merger_bell, bell, patiently ? NULL : &limit);
}

void ms_schedule_merge_interleave(struct ms_schedule_merger *m)
{
	struct interleaver s = {
		.m = m,
		.tracks = ms_alloc(m->ring->stream->lane_count * sizeof(struct track)),
		.exits = (const uint16_t *)(m->ring->base + m->ring->stream->exits_at),
		.contend = ms_schedule_contention_open(m->ring->writes),
		.hand_offs = ms_schedule_hand_offs_open(m->ring->writes),
	};
	struct track *running = NULL, *lags;

	if (m->processors.count > 0)
		s.last = ms_alloc(m->processors.count * sizeof(*s.last));
	memset(s.tracks, 0, m->ring->stream->lane_count * sizeof(*s.tracks));
	for (;;) {
		uint32_t bell = __atomic_load_n(&m->ring->stream->merger_bell, __ATOMIC_SEQ_CST);
		bool stop = __atomic_load_n(&m->stop, __ATOMIC_SEQ_CST);

		take_turns(&s);
		struct track *next = find_next(&s, &lags);
		if (next == NULL && s.in_order) {
			s.in_order = false;
			continue;
		}
		if (next != NULL && (lags == NULL || stop || s.in_order)) {
			if (next->time > s.now)
				s.now = next->time;
			copy_slice(&s, next, &running);
			continue;
		}
		if (stop)
			break;
		if (next == NULL)
			ms_schedule_merge_hand_over(m);
		if (!wait_for_more(&s, bell, lags == NULL) && lags != NULL)
			lags->lost = true;
	}
	tell_clocks(&s);
	for (size_t i = 0; i < s.lanes.n; i++)
		ms_vec_free(&s.tracks[s.lanes.at[i]].hand_offs.at);
	ms_schedule_contention_close(s.contend);
	ms_schedule_hand_offs_close(s.hand_offs);
	ms_vec_free(&s.queue);
	ms_vec_free(&s.lanes);
	ms_free(s.last);
	ms_free(s.tracks);
}
