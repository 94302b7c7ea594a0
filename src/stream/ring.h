/*
 * stream/ring.h - the reader's end of the stream.
 *
 * One process writes, a group of consumers (threads of this process) reads: every consumer sees
 * every chunk, in order, and a chunk goes back to the writer when all have released it. A consumer
 * with nothing to read sleeps; a writer with no room sleeps; nobody spins.
 */
#ifndef MS_STREAM_RING_H
#define MS_STREAM_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "stream/wire.h"

struct ms_ring {
	int fd;          /* of the shared file; the front-end inherits it */
	uint8_t *reader; /* the first page, mapped once more: it holds the reader's lock */
	uint8_t *base;
	struct ms_wire_stream *stream;
	struct ms_wire_lane *lane;
	unsigned consumers;
	uint32_t *left;    /* by slot: consumers that still read the chunk there */
	uint32_t ended;    /* the writer is gone: what is there is all there will be */
	size_t tail_words; /* once ended: words of the chunk that was never handed over */
	uint64_t *writes;  /* see ms_ring_tell_exit(); NULL: nobody asks */
};

/* The calling thread is the reader until ms_ring_close(): writers stop waiting for room when it
 * ends (ms_wire_has_reader()). chunk_bytes is at least MS_WIRE_MIN_CHUNK, chunk_count a power of
 * two; 0 for either: the default.
 */
int ms_ring_open(struct ms_ring *ring, uint32_t chunk_bytes, uint32_t chunk_count,
		 unsigned consumers, struct ms_err *err);
/* Room for threads that run at the same time, a lane each; before anybody reads or writes. */
int ms_ring_add_lanes(struct ms_ring *ring, uint32_t lanes, struct ms_err *err);
void ms_ring_close(struct ms_ring *ring);

/*
 * Which of the first 63 references of an execution write, a bit each: for who interleaves threads
 * (contend.h), at any time, from any thread. All behind them count as if they did, which
 * MS_RING_KNOWN says.
 */
#define MS_RING_KNOWN (UINT64_C(1) << 63)
void ms_ring_tell_exit(struct ms_ring *ring, uint64_t exit, uint64_t writes);

/* Whether chunk number k can be had without waiting. */
bool ms_ring_has(const struct ms_ring *ring, uint32_t k);
/* Waits for chunk number k. False: the stream has ended before it. */
bool ms_ring_wait(struct ms_ring *ring, uint32_t k, const uint64_t **words, size_t *n);
/* Where its events stand; from a writer that may be wrong. */
const struct ms_wire_index *ms_ring_index(const struct ms_ring *ring, uint32_t k);
/* Where chunk k stands: for what consumers keep per chunk in flight. Below ms_ring_slots(). */
unsigned ms_ring_slot(const struct ms_ring *ring, uint32_t k);
unsigned ms_ring_slots(const struct ms_ring *ring);
/* This consumer is done with chunk k; when all are, it goes back to the writer. */
void ms_ring_release(struct ms_ring *ring, uint32_t k);
/* The writing process has ended, in whatever way: consumers see the rest, then the end. */
void ms_ring_end(struct ms_ring *ring);
/* Nobody will read any more: the writer must not wait for room. */
void ms_ring_abandon(struct ms_ring *ring);

/* Nanoseconds that telling of blocks took the program, all threads together. */
uint64_t ms_ring_telling(const struct ms_ring *ring);

#endif
