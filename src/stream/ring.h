/*
 * stream/ring.h - the reader's end of the stream.
 *
 * One process writes, a group of consumers (threads of this process) reads. Every consumer sees
 * every chunk, in order. A chunk goes back to the writer when all consumers have released it. A
 * consumer without chunks sleeps, and so does a writer without room; neither spins.
 */
#ifndef MS_STREAM_RING_H
#define MS_STREAM_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "wire/wire.h"

/* Of the references of exits, pages are allocated that have known exits: few programs need many. */
enum { MS_RING_PAGE_EXITS = 1 << 14, MS_RING_EXIT_PAGES = MS_WIRE_EXITS / MS_RING_PAGE_EXITS };

struct ms_stream_ring {
	int fd;          /* of the shared file; the front-end inherits it */
	uint8_t *reader; /* a second mapping of the first page, for the reader's lock */
	uint8_t *base;
	struct ms_wire_stream *stream;
	struct ms_wire_lane *lane;
	unsigned consumers;
	uint32_t *left;    /* by slot: number of consumers that still read the chunk */
	uint32_t ended;    /* the writer has ended: no more will come */
	size_t tail_words; /* after that: words of the chunk that was never handed over */
	uint64_t *writes;  /* see ms_stream_ring_set_exit_writes(); NULL: not needed */
	const uint16_t **exit_refs[MS_RING_EXIT_PAGES]; /* see ms_stream_ring_set_exit_refs() */
};

/*
 * The calling thread is the reader until ms_stream_ring_close(): writers stop waiting for room when
 * it ends (ms_wire_has_reader()). chunk_bytes is at least MS_WIRE_MIN_CHUNK, chunk_count a power of
 * two; 0 selects the default.
 */
int ms_stream_ring_open(struct ms_stream_ring *ring, uint32_t chunk_bytes, uint32_t chunk_count,
			unsigned consumers, struct ms_err *err);
/* Adds a lane for each thread that runs at the same time. Call it before any reading
 * or writing. */
int ms_stream_ring_add_lanes(struct ms_stream_ring *ring, uint32_t lanes, struct ms_err *err);
void ms_stream_ring_close(struct ms_stream_ring *ring);

/*
 * Sets which of the first 63 references of an execution write, one bit each, for the interleaving
 * of threads (contention.h). Any thread may call it at any time. All further references count as
 * writes, which is the meaning of MS_RING_KNOWN.
 */
#define MS_RING_KNOWN (UINT64_C(1) << 63)
void ms_stream_ring_set_exit_writes(struct ms_stream_ring *ring, uint64_t exit, uint64_t writes);
/* Sets the meaning of all its references, as in schedule/hand_offs.h, after their number; it stays
 * there as long as the ring. */
void ms_stream_ring_set_exit_refs(struct ms_stream_ring *ring, uint64_t exit, const uint16_t *refs);
/* NULL: they are not known. */
const uint16_t *ms_stream_ring_get_exit_refs(const struct ms_stream_ring *ring, uint64_t exit);

/* Returns whether chunk k is available without waiting. */
bool ms_stream_ring_is_ready(const struct ms_stream_ring *ring, uint32_t k);
/* Waits for chunk k. Returns false if the stream ended before it. */
bool ms_stream_ring_wait(struct ms_stream_ring *ring, uint32_t k, const uint64_t **words,
			 size_t *n);
/* Returns the positions of its events, as given by a writer that may be wrong. */
const struct ms_wire_index *ms_stream_ring_index(const struct ms_stream_ring *ring, uint32_t k);
/* Returns the slot of chunk k, below ms_stream_ring_slots(): for data of consumers about chunks in
 * flight. */
unsigned ms_stream_ring_slot(const struct ms_stream_ring *ring, uint32_t k);
unsigned ms_stream_ring_slots(const struct ms_stream_ring *ring);
/* The consumer has finished chunk k; after the last consumer, the chunk goes back to
 * the writer. */
void ms_stream_ring_release(struct ms_stream_ring *ring, uint32_t k);
/* The writing process has ended, regularly or not: consumers see the rest, then the end. */
void ms_stream_ring_end(struct ms_stream_ring *ring);
/* The readers stop: the writer must not wait for room. */
void ms_stream_ring_abandon(struct ms_stream_ring *ring);

/* Returns the nanoseconds that reporting heap blocks has cost all threads of the program. */
uint64_t ms_stream_ring_describe_ns(const struct ms_stream_ring *ring);

#endif
