/* timed.h - timer sampling: its part of struct ms_thread, and its start. */
#ifndef MS_NATIVE_TIMED_H
#define MS_NATIVE_TIMED_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

struct ms_timed {
	uint64_t random;
	uint64_t armed;   /* nanoseconds until the next sample, ... */
	uint64_t expires; /* ... when that is, in CPU time (0: unknown) ... */
	uint64_t cpu;     /* ... and when the last sample was */
	uint32_t lost;    /* samples lost since the last one recorded */
	uint32_t cost;    /* nanoseconds of a sample, on average */
	uint64_t left;    /* millionths of the time that samples may take */
};

/* On the first thread; false: not possible here, which was logged. */
bool ms_timed_start(struct ms_thread *t);
/* On every other thread. */
void ms_timed_thread(struct ms_thread *t);

/* On a thread whose timer was stopped. */
void ms_timed_resume(struct ms_thread *t);

/* The thread has stopped before an instruction whose registers are wanted: records it. */
void ms_timed_learnt(struct ms_thread *t, const uint64_t *uc);

#endif
