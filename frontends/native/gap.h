/*
 * gap.h - what lies between the windows of a sampled program: how many references, counted in its
 * head and estimated behind it. Who takes holds MS_LOCK_SAMPLE.
 */
#ifndef MS_NATIVE_GAP_H
#define MS_NATIVE_GAP_H

#include "runtime.h"

struct ms_gap {
	uint64_t position; /* of the program, in references */
	/* References since the last window; those of them that nobody counted; and such since the
	 * start. */
	uint64_t since, since_guessed, guessed;
	/* What was estimated since the start, without sprints, and the time it took. */
	uint64_t references, nanoseconds, sprints;
	/* How those since the last window were timed: segments of sprints, and undisturbed ones. */
	struct ms_wire_timed since_timed;
	uint64_t forked; /* ns in system calls that made processes, in the head and elsewhere */
	/* The head goes on, in which references are counted between windows, too; by so many
	 * threads. */
	bool counted;
	uint32_t counting;
};
extern struct ms_gap ms_gap;

/* References that a thread makes natively in 1024 ns, as far as is known. */
uint64_t ms_gap_speed(void);
/* What the thread did natively until now, by its CPU time, and in sprints. */
void ms_gap_take_time(struct ms_thread *t, uint64_t now);
/* What it has counted. */
void ms_gap_take_counted(struct ms_thread *t);
/* The same, of the running thread, where it comes to C: not what it has done in loops that wait. */
void ms_gap_take_step(struct ms_thread *t);
/* Whether the thread has waited since it last came to C, and still does; then it goes on so. */
bool ms_gap_waits_on(struct ms_thread *t);
/* It counts from here on, or still does, until the next window; false: it cannot. */
bool ms_gap_count_on(struct ms_thread *t, uint64_t next);
/* It does so no more. Takes the lock itself. */
void ms_gap_stop_counting(struct ms_thread *t);
/* Whether the thread counts now, or may. */
bool ms_gap_is_counted(const struct ms_thread *t);
/* Whether so much was counted that each exit's part of all of it is known. */
bool ms_gap_is_known(void);

static inline bool ms_gap_tallies(const struct ms_thread *t)
{
	return t->sampled.code == MS_CODE_TALLIES;
}

#endif
