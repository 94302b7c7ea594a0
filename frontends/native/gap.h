/*
 * gap.h - the number of references between the windows of a sampled program: counted in its counted
 * start, estimated afterwards. Functions that take time or counts need MS_LOCK_SAMPLE.
 */
#ifndef MS_NATIVE_GAP_H
#define MS_NATIVE_GAP_H

#include <stdbool.h>
#include <stdint.h>

#include "alloc_rate.h"
#include "runtime/thread_state.h"
#include "tracer.h"

struct ms_gap {
	uint64_t position; /* progress of the program, in references */
	/* References since the last window; those of them that were not counted but estimated; and
	 * all estimated ones since the start. */
	uint64_t since, since_guessed, guessed;
	/* What was estimated since the start, without sprints, and the CPU time of it. */
	uint64_t references, nanoseconds, sprints;
	/* How the references since the last window were timed: segments of sprints, and undisturbed
	 * ones. */
	struct ms_wire_timed since_timed;
	uint64_t forked; /* ns in system calls that created processes, in the counted start and
			    elsewhere */
	/* The counted start has not ended: references between windows are counted, too, by so many
	 * threads. */
	bool counted;
	uint32_t counting;
	/* Allocations meanwhile; whether counting may end was decided, and it may. */
	struct ms_alloc_rate rate;
	bool decided, rate_suffices;
};
extern struct ms_gap ms_gap;

/* Estimate of the references that a thread makes natively in 1024 ns. */
uint64_t ms_gap_speed(void);
/* Adds what the thread did natively until now, by its CPU time, and in sprints. */
void ms_gap_take_time(struct ms_thread *t, uint64_t now);
/* Adds what the thread has counted. */
void ms_gap_take_counted(struct ms_thread *t);
/* The same for the running thread, when it calls C: references in wait loops are excluded. */
void ms_gap_take_step(struct ms_thread *t);
/* Whether the thread has been in a wait loop since it last called C, and still is; then it
 * continues so. */
bool ms_gap_waits_on(struct ms_thread *t);
/* The thread counts, or still does, until the next window; false: not possible. */
bool ms_gap_count_on(struct ms_thread *t, uint64_t next);
/* The thread stops counting. Acquires the lock itself. */
void ms_gap_stop_counting(struct ms_thread *t);
/* At the end of a window: decides whether counting continues. */
void ms_gap_decide(void);
/* Whether the thread counts now, or may. */
bool ms_gap_is_counted(const struct ms_thread *t);
/* Whether enough was counted to know each exit's share. */
bool ms_gap_is_known(void);

static inline bool ms_gap_tallies(const struct ms_thread *t)
{
	return t->sampled.code == MS_CODE_TALLIES;
}

#endif
