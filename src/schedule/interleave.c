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
#include "schedule/open_chunks.h"
#include "stream/futex.h"

enum {
	SLICE = 48,
	PATIENCE_MS = 100,
};

/* --- clocks --- */

static void tell_clock(struct ms_schedule_interleaver *s, struct ms_schedule_track *t)
{
	t->clock_sent = t->instructions;
	if (!ms_schedule_merge_room(s->m, 2))
		return;
	ms_schedule_merge_event(s->m, s->m->n);
	s->m->out[s->m->n++] = ms_wire_head(MS_WIRE_CLOCK, 2, t->thread);
	s->m->out[s->m->n++] = t->instructions;
}

static void send_changed_clocks(struct ms_schedule_interleaver *s, struct ms_schedule_track *t)
{
	if (t->clock_sent != t->instructions)
		tell_clock(s, t);
}

/* Writes the clocks before an event that depends on them. */
static void tell_clocks(struct ms_schedule_interleaver *s)
{
	for (size_t i = 0; i < s->lanes.n; i++)
		send_changed_clocks(s, &s->tracks[s->lanes.at[i]]);
}

/* Another thread runs. Slices of some dozen instructions need no clock, unless a thread takes the
 * processor of another one. */
static void tell_switch(struct ms_schedule_interleaver *s, struct ms_schedule_track *from,
			const struct ms_schedule_track *to)
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

/* --- records --- */

/* Events that change which thread runs, or how its instructions count. */
static const bool of_time[MS_WIRE_KINDS] = {
	[MS_WIRE_THREAD] = true,      [MS_WIRE_THREAD_END] = true,   [MS_WIRE_WAIT] = true,
	[MS_WIRE_WAKE] = true,        [MS_WIRE_SPIN] = true,         [MS_WIRE_AFFINITY] = true,
	[MS_WIRE_WINDOW_OPEN] = true, [MS_WIRE_WINDOW_CLOSE] = true,
};

static void copy_event(struct ms_schedule_interleaver *s, struct ms_schedule_track *t,
		       const uint64_t *words, size_t n)
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
static bool is_execution(const struct ms_schedule_track *t, size_t at, size_t stop)
{
	return at < stop && ms_wire_kind_of(t->words[at]) == MS_WIRE_EXEC &&
	       ms_wire_words_of(t->words[at]) > 0 && ms_wire_words_of(t->words[at]) <= t->n - at;
}

/* Copies executions of about `length` instructions, up to the next event; returns the number of
 * instructions. */
static uint32_t copy_executions(struct ms_schedule_interleaver *s, struct ms_schedule_track *t,
				uint32_t length, size_t stop)
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
static void copy_other(struct ms_schedule_interleaver *s, struct ms_schedule_track *t)
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
static bool begins(const struct ms_schedule_track *t)
{
	uint32_t kind = t->at < t->n ? ms_wire_kind_of(t->words[t->at]) : MS_WIRE_EXEC;

	return kind == MS_WIRE_THREAD || kind == MS_WIRE_WAKE;
}

static uint32_t slice_length(struct ms_schedule_interleaver *s)
{
	s->seed = s->seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return SLICE + (uint32_t)(s->seed >> 33) % SLICE;
}

static void copy_slice(struct ms_schedule_interleaver *s, struct ms_schedule_track *t,
		       struct ms_schedule_track **running)
{
	uint32_t length = t->fights > 0 && !s->in_sequence ? slice_length(s) : UINT32_MAX, done = 0;
	size_t stop = ms_schedule_find_stop(s, t);

	tell_switch(s, *running, t);
	if (*running != NULL && *running != t)
		s->before = (*running)->thread;
	*running = t;
	if (begins(t))
		copy_other(s, t);
	ms_schedule_merge_switch(s->m, t->thread);
	while (t->at < stop && (done < length || ms_schedule_is_in_unit(t)) &&
	       !(ms_schedule_is_window_end(t) && done > 0)) {
		if (ms_wire_kind_of(t->words[t->at]) == MS_WIRE_THREAD_END)
			*running = NULL;
		if (!is_execution(t, t->at, stop)) {
			copy_other(s, t);
			continue;
		}
		uint32_t n = copy_executions(s, t, done < length ? length - done : 1, stop);

		done += n;
		t->time += n;
		t->instructions += n;
	}
	t->closes = ms_schedule_is_window_end(t);
	if (t->at >= t->n) {
		ms_schedule_close_chunk(s, t);
		send_changed_clocks(s, t);
	}
}

/* --- choice of the next thread --- */

static bool is_away(const struct ms_schedule_interleaver *s, uint32_t lane)
{
	const struct ms_wire_lane *l = ms_schedule_merge_lane(s->m->ring, lane);

	return __atomic_load_n(&l->away, __ATOMIC_SEQ_CST) != 0 ||
	       __atomic_load_n(&l->thread, __ATOMIC_SEQ_CST) == 0;
}

static bool comes_before(const struct ms_schedule_track *a, const struct ms_schedule_track *b)
{
	return a->closes != b->closes ? b->closes : a->time < b->time;
}

/* Whether the next record of an open chunk may be copied now. */
static bool may_continue(const struct ms_schedule_interleaver *s, struct ms_schedule_track *t)
{
	return t->at >= t->n || ms_schedule_find_stop(s, t) > t->at;
}

/* Returns the open track with the least time. */
static struct ms_schedule_track *find_least(struct ms_schedule_interleaver *s)
{
	struct ms_schedule_track *next = NULL;

	for (size_t i = 0; i < s->lanes.n; i++) {
		struct ms_schedule_track *t = &s->tracks[s->lanes.at[i]];

		if (!ms_schedule_is_ordered(s) && !t->open && t->taken != t->given)
			ms_schedule_open_chunk(s, s->lanes.at[i]);
		if (t->open && may_continue(s, t) && (next == NULL || comes_before(t, next)))
			next = t;
	}
	return next;
}

/* Returns one that runs, has no chunk here, and may have less time. */
static struct ms_schedule_track *find_late(const struct ms_schedule_interleaver *s,
					   const struct ms_schedule_track *next)
{
	struct ms_schedule_track *late = NULL;

	for (size_t i = 0; i < s->lanes.n; i++) {
		struct ms_schedule_track *t = &s->tracks[s->lanes.at[i]];

		if (!t->open && t->taken == t->given && !t->lost &&
		    (next == NULL || t->time < next->time) && !is_away(s, s->lanes.at[i]))
			late = t;
	}
	return late;
}

/* Returns the track that comes next; *lags: one that it must wait for. */
static struct ms_schedule_track *find_next(struct ms_schedule_interleaver *s,
					   struct ms_schedule_track **lags)
{
	*lags = NULL;
	if (ms_schedule_is_ordered(s)) {
		ms_schedule_open_queue(s);
		if (s->open > 0 && (s->in_sequence || !s->contended))
			return ms_schedule_find_oldest(s);
	}
	struct ms_schedule_track *next = find_least(s);

	*lags = find_late(s, next);
	return next;
}

/* Returns false after a timeout. */
static bool wait_for_more(struct ms_schedule_interleaver *s, uint32_t bell, bool patiently)
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

static const uint16_t *find_exit_refs(const void *arg, uint32_t exit, uint32_t *n)
{
	const struct ms_stream_ring *ring = arg;
	const uint16_t *refs = ms_stream_ring_get_exit_refs(ring, exit);

	if (refs == NULL)
		return NULL;
	*n = refs[0];
	return refs + 1;
}

void ms_schedule_merge_interleave(struct ms_schedule_merger *m)
{
	struct ms_schedule_interleaver s = {
		.m = m,
		.seed = m->processors.seed,
		.tracks = ms_alloc(m->ring->stream->lane_count * sizeof(struct ms_schedule_track)),
		.exits = (const uint16_t *)(m->ring->base + m->ring->stream->exits_at),
		.contend = ms_schedule_contention_open(m->ring->writes),
		.hand_offs = ms_alloc(ms_schedule_hand_offs_bytes()),
	};
	struct ms_schedule_track *running = NULL, *lags;

	if (m->processors.count > 0)
		s.last = ms_alloc(m->processors.count * sizeof(*s.last));
	memset(s.tracks, 0, m->ring->stream->lane_count * sizeof(*s.tracks));
	const struct ms_schedule_hand_offs_source source = { find_exit_refs, m->ring,
							     ms_schedule_is_chunk_there, &s };
	ms_schedule_hand_offs_start(s.hand_offs, &source);
	for (;;) {
		uint32_t bell = __atomic_load_n(&m->ring->stream->merger_bell, __ATOMIC_SEQ_CST);
		bool stop = __atomic_load_n(&m->stop, __ATOMIC_SEQ_CST);

		ms_schedule_take_handovers(&s);
		struct ms_schedule_track *next = find_next(&s, &lags);
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
		ms_schedule_free_order(&s.tracks[s.lanes.at[i]].order);
	ms_schedule_contention_close(s.contend);
	ms_free(s.hand_offs);
	for (size_t i = s.queue_from; i < s.queue.n; i++)
		if (!s.queue.at[i].opened)
			ms_schedule_free_order(&s.queue.at[i].order);
	ms_vec_free(&s.queue);
	ms_vec_free(&s.lanes);
	ms_free(s.last);
	ms_free(s.tracks);
}
