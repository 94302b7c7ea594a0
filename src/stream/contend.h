/*
 * stream/contend.h - which lines several threads have lately touched, and some have written.
 *
 * Only the order of references to such lines can matter to caches that are kept coherent; all
 * others come to the same whoever goes first. So interleave.c puts chunks together finely where
 * they touch one of these, and takes others as a whole.
 *
 * A table of lines of 128 bytes: whose lane touched it last, whether others did and whether it was
 * written, and when; what is too old is as if it were not there. What a reference does is known
 * when somebody has told of its block (ms_ring_tell_exit()); until then it counts as a write.
 * Leaves out: three of four records, drawn by lot, or more while nobody fights; the second line of a reference over two; a line
 * whose place in the table another one has.
 */
#ifndef MS_STREAM_CONTEND_H
#define MS_STREAM_CONTEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_contend;

/* writes: by exit, which of its references write: ring.h. */
struct ms_contend *ms_contend_open(const uint64_t *writes);
void ms_contend_close(struct ms_contend *contend);

/* What a look at a chunk has found. */
struct ms_contend_seen {
	bool fights;           /* it touches a line that lanes fight over */
	size_t executions;     /* words: before them stands nothing but whole executions ... */
	uint32_t instructions; /* ... of so many instructions */
};

/*
 * Notes what a lane's records touch. exits: the instructions of each (MS_WIRE_EXITS of them). with:
 * called with the lane that had a line until then, once for each line that is found to be fought over.
 */
struct ms_contend_seen ms_contend_note(struct ms_contend *contend, uint32_t lane,
				       const uint64_t *words, size_t n, const uint16_t *exits,
				       void (*with)(void *arg, uint32_t lane), void *arg);

#endif
