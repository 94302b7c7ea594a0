/*
 * schedule/contention.h - finds lines that several threads have touched recently, and some have
 * written.
 *
 * Only the order of references to such contended lines can change the result of coherent caches;
 * any order of other references gives the same result. So interleave.c interleaves chunks finely
 * if they touch a contended line, and takes others as a whole.
 *
 * A table of lines of 128 bytes has the last lane that touched the line, whether others did,
 * whether it was written, and when. Old entries count as absent. Whether a reference writes is
 * known after the description of its block (ms_stream_ring_set_exit_writes()); before that, it
 * counts as a write.
 *
 * Not covered: three of four records, drawn at random, or more while there is no contention; the
 * second line of a reference to two lines; a line whose entry in the table is in use by another
 * line.
 */
#ifndef MS_SCHEDULE_CONTENTION_H
#define MS_SCHEDULE_CONTENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_schedule_contention;

/* writes: by exit, which of its references write: see ring.h. */
struct ms_schedule_contention *ms_schedule_contention_open(const uint64_t *writes);
void ms_schedule_contention_close(struct ms_schedule_contention *contend);

/* The result for one chunk. */
struct ms_schedule_contention_result {
	bool fights;           /* it touches a contended line */
	size_t executions;     /* number of words at its start that are whole executions */
	uint32_t instructions; /* instructions of these executions */
};

/*
 * Examines the references of a lane's chunk. exits: number of instructions by exit (MS_WIRE_EXITS
 * of them). with: called once for each line that becomes contended, with the lane that had touched
 * the line before.
 */
struct ms_schedule_contention_result
ms_schedule_contention_record(struct ms_schedule_contention *contend, uint32_t lane,
			      const uint64_t *words, size_t n, const uint16_t *exits,
			      void (*with)(void *arg, uint32_t lane), void *arg);

#endif
