#include "stream/writer.h"

#include "stream/futex.h"

static uint64_t *next_chunk(const struct ms_stream_ring *ring)
{
	return (uint64_t *)(ring->base + ring->stream->chunks_at +
			    (uint64_t)ms_stream_ring_slot(ring, ring->lane->filled) *
				    ring->stream->chunk_bytes);
}

uint64_t *ms_stream_ring_room(struct ms_stream_ring *ring)
{
	struct ms_wire_lane *lane = ring->lane;

	for (;;) {
		uint32_t freed = __atomic_load_n(&lane->freed, __ATOMIC_SEQ_CST);

		if (__atomic_load_n(&lane->closed, __ATOMIC_SEQ_CST))
			return NULL;
		if (lane->filled - freed < ring->stream->chunk_count)
			break;
		__atomic_store_n(&lane->writer_sleeps, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&lane->freed, __ATOMIC_SEQ_CST) == freed)
			ms_stream_futex_wait_a_second(&lane->freed, freed);
		__atomic_store_n(&lane->writer_sleeps, 0, __ATOMIC_SEQ_CST);
	}
	return next_chunk(ring);
}

void ms_stream_ring_wait_read(struct ms_stream_ring *ring)
{
	struct ms_wire_lane *lane = ring->lane;

	for (;;) {
		uint32_t freed = __atomic_load_n(&lane->freed, __ATOMIC_SEQ_CST);

		if (freed == lane->filled || __atomic_load_n(&lane->closed, __ATOMIC_SEQ_CST))
			return;
		__atomic_store_n(&lane->writer_sleeps, 1, __ATOMIC_SEQ_CST);
		if (__atomic_load_n(&lane->freed, __ATOMIC_SEQ_CST) == freed)
			ms_stream_futex_wait_a_second(&lane->freed, freed);
		__atomic_store_n(&lane->writer_sleeps, 0, __ATOMIC_SEQ_CST);
	}
}

static void fill_index(struct ms_wire_index *index, const uint64_t *words, size_t n)
{
	index->count = 0;
	for (size_t at = 0; at < n && ms_wire_words_of(words[at]) > 0;
	     at += ms_wire_words_of(words[at])) {
		if (ms_wire_kind_of(words[at]) == MS_WIRE_EXEC)
			continue;
		if (index->count < MS_WIRE_INDEXED)
			index->at[index->count] = (uint32_t)at;
		index->count++;
	}
}

void ms_stream_ring_publish(struct ms_stream_ring *ring, size_t n)
{
	fill_index((struct ms_wire_index *)(ring->base + ring->lane->index_at) +
			   ms_stream_ring_slot(ring, ring->lane->filled),
		   next_chunk(ring), n);
	ms_stream_ring_hand_over(ring, n);
}

void ms_stream_ring_hand_over(struct ms_stream_ring *ring, size_t n)
{
	struct ms_wire_lane *lane = ring->lane;
	uint32_t *lengths = (uint32_t *)(ring->base + lane->words_at);

	lengths[ms_stream_ring_slot(ring, lane->filled)] = (uint32_t)n;
	__atomic_store_n(&lane->filled, lane->filled + 1, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&lane->reader_sleeps, 0, __ATOMIC_SEQ_CST)) {
		__atomic_add_fetch(&lane->reader_bell, 1, __ATOMIC_SEQ_CST);
		ms_stream_futex_wake(&lane->reader_bell);
	}
}
