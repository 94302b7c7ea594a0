#include "stream/writer.h"

#include "stream/futex.h"

uint64_t *ms_ring_room(struct ms_ring *ring)
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
			ms_futex_wait_a_second(&lane->freed, freed);
		__atomic_store_n(&lane->writer_sleeps, 0, __ATOMIC_SEQ_CST);
	}
	return (uint64_t *)(ring->base + ring->stream->chunks_at +
			    (uint64_t)ms_ring_slot(ring, lane->filled) * ring->stream->chunk_bytes);
}

void ms_ring_publish(struct ms_ring *ring, size_t n)
{
	struct ms_wire_lane *lane = ring->lane;
	uint32_t *lengths = (uint32_t *)(ring->base + lane->words_at);

	lengths[ms_ring_slot(ring, lane->filled)] = (uint32_t)n;
	__atomic_store_n(&lane->filled, lane->filled + 1, __ATOMIC_SEQ_CST);
	if (__atomic_exchange_n(&lane->reader_sleeps, 0, __ATOMIC_SEQ_CST)) {
		__atomic_add_fetch(&lane->reader_bell, 1, __ATOMIC_SEQ_CST);
		ms_futex_wake(&lane->reader_bell);
	}
}
