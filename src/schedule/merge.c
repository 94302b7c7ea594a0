#include "schedule/merge.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "base/thread.h"
#include "schedule/merge_priv.h"
#include "stream/futex.h"
#include "stream/writer.h"

/* --- into the ring --- */

size_t ms_schedule_merge_left(const struct ms_schedule_merger *m)
{
	return m->out != NULL ? m->ring->stream->chunk_bytes / 8 - m->n : 0;
}

void ms_schedule_merge_hand_over(struct ms_schedule_merger *m)
{
	if (m->out != NULL && m->n > 0)
		ms_stream_ring_hand_over(m->ring, m->n);
	m->out = NULL;
	m->n = 0;
}

/* Returns false if the readers have gone. */
bool ms_schedule_merge_room(struct ms_schedule_merger *m, size_t words)
{
	if (m->out != NULL && ms_schedule_merge_left(m) < words)
		ms_schedule_merge_hand_over(m);
	if (m->out == NULL) {
		m->out = ms_stream_ring_room(m->ring);
		m->n = 0;
		if (m->processors.first_merged != NULL && *m->processors.first_merged == 0)
			__atomic_store_n(m->processors.first_merged,
					 UINT64_C(1) + m->ring->lane->filled, __ATOMIC_SEQ_CST);
		if (m->out != NULL) {
			m->index = (struct ms_wire_index *)ms_stream_ring_index(
				m->ring, m->ring->lane->filled);
			m->index->count = 0;
		}
	}
	return m->out != NULL;
}

void ms_schedule_merge_event(struct ms_schedule_merger *m, size_t at)
{
	if (m->index->count < MS_WIRE_INDEXED)
		m->index->at[m->index->count] = (uint32_t)at;
	m->index->count++;
}

/* Copies whole records, for which there is room. */
void ms_schedule_merge_copy(struct ms_schedule_merger *m, const uint64_t *words, size_t n)
{
	memcpy(m->out + m->n, words, n * 8);
	m->n += n;
}

/* Copies record by record, if the writer's index cannot be used. */
static void copy_walking(struct ms_schedule_merger *m, const uint64_t *words, size_t n)
{
	for (size_t at = 0, length; at < n; at += length) {
		length = ms_wire_words_of(words[at]);
		if (length == 0 || length > n - at || !ms_schedule_merge_room(m, length))
			return;
		if (ms_wire_kind_of(words[at]) != MS_WIRE_EXEC)
			ms_schedule_merge_event(m, m->n);
		ms_schedule_merge_copy(m, words + at, length);
	}
}

static bool index_is_sound(const struct ms_wire_index *index, size_t n)
{
	if (index->count > MS_WIRE_INDEXED)
		return false;
	for (uint32_t i = 0; i < index->count; i++)
		if (index->at[i] >= n)
			return false;
	return true;
}

static void copy_chunk(struct ms_schedule_merger *m, const uint64_t *words, size_t n,
		       const struct ms_wire_index *index)
{
	if (index == NULL || !index_is_sound(index, n) || n > m->ring->stream->chunk_bytes / 8) {
		copy_walking(m, words, n);
		return;
	}
	if (!ms_schedule_merge_room(m, n))
		return;
	for (uint32_t i = 0; i < index->count; i++)
		ms_schedule_merge_event(m, m->n + index->at[i]);
	ms_schedule_merge_copy(m, words, n);
}

/* --- out of the lanes --- */

struct ms_wire_lane *ms_schedule_merge_lane(const struct ms_stream_ring *ring, uint32_t lane)
{
	return (struct ms_wire_lane *)(ring->base + ring->stream->more_at +
				       (lane - 1) * ring->stream->more_bytes);
}

static size_t believable(const struct ms_stream_ring *ring, uint64_t words)
{
	uint64_t most = ring->stream->more_chunk_bytes / 8;

	return words < most ? words : most;
}

static const struct ms_wire_index *index_of(const struct ms_stream_ring *ring,
					    const struct ms_wire_lane *lane, uint32_t chunk)
{
	return (const struct ms_wire_index *)((const uint8_t *)lane + 4096) +
	       chunk % ring->stream->more_chunk_count;
}

const uint64_t *ms_schedule_merge_chunk(const struct ms_stream_ring *ring,
					const struct ms_wire_lane *lane, uint32_t chunk)
{
	const uint8_t *chunks = (const uint8_t *)lane + 4096 +
				ring->stream->more_chunk_count * sizeof(struct ms_wire_index);

	return (const uint64_t *)(chunks + (uint64_t)(chunk % ring->stream->more_chunk_count) *
						   ring->stream->more_chunk_bytes);
}

size_t ms_schedule_merge_length(const struct ms_stream_ring *ring, const struct ms_wire_lane *lane,
				uint32_t chunk)
{
	const uint32_t *lengths = (const uint32_t *)(lane + 1);

	return believable(ring, lengths[chunk % ring->stream->more_chunk_count]);
}

void ms_schedule_merge_release(struct ms_wire_lane *lane)
{
	__atomic_add_fetch(&lane->freed, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&lane->writer_sleeps, __ATOMIC_SEQ_CST))
		ms_stream_futex_wake(&lane->freed);
}

/* Returns the number of words of the chunk so far; *whole: it is complete. */
static size_t words_there(const struct ms_stream_ring *ring, const struct ms_wire_lane *lane,
			  uint32_t chunk, bool *whole)
{
	for (;;) {
		uint32_t filled = __atomic_load_n(&lane->filled, __ATOMIC_SEQ_CST);

		*whole = filled != chunk;
		if (*whole)
			return ms_schedule_merge_length(ring, lane, chunk);

		uint32_t number = __atomic_load_n(&lane->chunk, __ATOMIC_SEQ_CST);
		uint64_t cursor = __atomic_load_n(&lane->cursor, __ATOMIC_SEQ_CST);
		uint64_t start = __atomic_load_n(&lane->chunk_start, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&lane->filled, __ATOMIC_SEQ_CST) != filled)
			continue;
		return number == chunk && cursor >= start ? believable(ring, (cursor - start) / 8)
							  : 0;
	}
}

/* Copies everything that was written there so far. */
void ms_schedule_merge_shared(struct ms_schedule_merger *m)
{
	struct ms_wire_lane *lane = ms_schedule_merge_lane(m->ring, MS_WIRE_SHARED_LANE);
	bool whole = true;

	while (whole) {
		size_t n = words_there(m->ring, lane, m->shared_chunk, &whole);

		if (n > m->shared_words)
			copy_walking(m,
				     ms_schedule_merge_chunk(m->ring, lane, m->shared_chunk) +
					     m->shared_words,
				     n - m->shared_words);
		m->shared_words = n;
		if (whole) {
			m->shared_chunk++;
			m->shared_words = 0;
			ms_schedule_merge_release(lane);
		}
	}
}

/* A thread's first record announces the thread, and implies the switch to it. */
static void switch_to(struct ms_schedule_merger *m, uint32_t thread, const uint64_t *words,
		      size_t n)
{
	if (n > 0 && ms_wire_kind_of(words[0]) == MS_WIRE_THREAD) {
		m->running = ms_wire_arg_of(words[0]);
		return;
	}
	ms_schedule_merge_switch(m, thread);
}

void ms_schedule_merge_take(struct ms_schedule_merger *m, uint64_t handover)
{
	uint32_t lane_number = (uint32_t)handover & ~MS_WIRE_IN_ORDER;

	if (lane_number == MS_WIRE_SHARED_LANE)
		ms_schedule_merge_shared(m);
	if (lane_number <= MS_WIRE_SHARED_LANE || lane_number >= m->ring->stream->lane_count)
		return;
	struct ms_wire_lane *lane = ms_schedule_merge_lane(m->ring, lane_number);
	uint32_t chunk = lane->freed;
	const uint64_t *words = ms_schedule_merge_chunk(m->ring, lane, chunk);
	size_t n = ms_schedule_merge_length(m->ring, lane, chunk);

	ms_schedule_merge_shared(m);
	switch_to(m, (uint32_t)(handover >> 32), words, n);
	copy_chunk(m, words, n, index_of(m->ring, lane, chunk));
	ms_schedule_merge_release(lane);
}

/* Copies what was never handed over, after the end of the process. */
static void take_tails(struct ms_schedule_merger *m)
{
	ms_schedule_merge_shared(m);
	for (uint32_t i = MS_WIRE_SHARED_LANE + 1; i < m->ring->stream->lane_count; i++) {
		struct ms_wire_lane *lane = ms_schedule_merge_lane(m->ring, i);
		bool whole;

		if (lane->thread == 0)
			continue;
		size_t n = words_there(m->ring, lane, lane->filled, &whole);
		const uint64_t *words = ms_schedule_merge_chunk(m->ring, lane, lane->filled);
		if (n == 0)
			continue;
		/* The wake-up is written before the switch to the thread. */
		size_t woken =
			ms_wire_kind_of(words[0]) == MS_WIRE_WAKE ? ms_wire_words_of(words[0]) : 0;
		if (woken > n)
			woken = n;
		copy_walking(m, words, woken);
		switch_to(m, lane->thread, words, n);
		copy_walking(m, words + woken, n - woken);
	}
}

/* --- the thread --- */

/* Returns the next chunk that was handed over; 0: there will be none, or stamps give the order. */
static uint64_t next_handover(struct ms_schedule_merger *m)
{
	struct ms_wire_stream *stream = m->ring->stream;
	uint64_t *order = (uint64_t *)(m->ring->base + stream->order_at);

	for (;;) {
		uint32_t bell = __atomic_load_n(&stream->merger_bell, __ATOMIC_SEQ_CST);
		uint32_t stop = __atomic_load_n(&m->stop, __ATOMIC_SEQ_CST);
		uint64_t *at = &order[m->next % MS_WIRE_ORDERED];
		uint64_t handover = __atomic_load_n(at, __ATOMIC_SEQ_CST);

		/* A writer sets this before it hands over such a chunk. */
		if (__atomic_load_n(&stream->stamping, __ATOMIC_SEQ_CST))
			return 0;
		if (handover != 0 || stop) {
			__atomic_store_n(at, 0, __ATOMIC_SEQ_CST);
			/* A killed process may have left an entry empty. */
			if (handover == 0 && m->next >= stream->handed_over)
				return 0;
			m->next++;
			if (handover != 0)
				return handover;
			continue;
		}
		/* Before it sleeps, the readers get what is there. */
		ms_schedule_merge_hand_over(m);
		__atomic_store_n(&stream->merger_sleeps, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(at, __ATOMIC_SEQ_CST) == 0 &&
		    !__atomic_load_n(&m->stop, __ATOMIC_SEQ_CST))
			ms_stream_futex_wait(&stream->merger_bell, bell);
	}
}

void ms_schedule_merge_switch(struct ms_schedule_merger *m, uint32_t thread)
{
	if (m->running == thread || !ms_schedule_merge_room(m, 1))
		return;
	ms_schedule_merge_event(m, m->n);
	m->out[m->n++] = ms_wire_head(MS_WIRE_SWITCH, 1, thread);
	m->running = thread;
}

static void *merge(void *arg)
{
	struct ms_schedule_merger *m = arg;
	uint64_t handover;

	if (m->finely)
		ms_schedule_merge_interleave(m);
	while (!m->finely && (handover = next_handover(m)) != 0)
		ms_schedule_merge_take(m, handover);
	if (m->ring->stream->stamping)
		ms_schedule_merge_stamped(m);
	if (m->ring->stream->merging) {
		take_tails(m);
		ms_schedule_merge_hand_over(m);
	}
	return NULL;
}

int ms_schedule_merge_start(struct ms_schedule_merger **merger, struct ms_stream_ring *ring,
			    bool finely, const struct ms_schedule_merge_processors *processors,
			    struct ms_err *err)
{
	*merger = NULL;
	if (ring->stream->lane_count == 1)
		return MS_OK; /* there was no memory for more lanes */
	struct ms_schedule_merger *m = ms_alloc(sizeof(*m));

	*m = (struct ms_schedule_merger){ .ring = ring,
					  .finely = finely,
					  .processors = *processors };
	int code = ms_thread_start(&m->thread, merge, m, err);

	if (code != MS_OK) {
		ms_free(m);
		return code;
	}
	*merger = m;
	return MS_OK;
}

void ms_schedule_merge_finish(struct ms_schedule_merger *m)
{
	if (m == NULL)
		return;
	__atomic_store_n(&m->stop, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&m->ring->stream->merger_bell, 1, __ATOMIC_SEQ_CST);
	ms_stream_futex_wake(&m->ring->stream->merger_bell);
	pthread_join(m->thread, NULL);
	ms_free(m);
}
