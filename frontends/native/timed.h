/* timed.h - timer sampling: what stands in struct ms_thread, and how it begins. */
#ifndef MS_NATIVE_TIMED_H
#define MS_NATIVE_TIMED_H

#include <stdbool.h>
#include <stdint.h>

struct ms_thread;

struct ms_timed {
	uint64_t random;
	uint64_t armed;   /* nanoseconds until the next one, ... */
	uint64_t expires; /* ... when that is, in processor time (0: not known) ... */
	uint64_t cpu;     /* ... and when the last one was */
	uint32_t lost;    /* since the last one that was told */
	uint32_t cost;    /* nanoseconds, on average */
	uint64_t left;    /* millionths of the time that samples may take */
};

/* On the first thread; false: it cannot be done here (and was said why). */
bool ms_timed_start(struct ms_thread *t);
/* On every other one. */
void ms_timed_thread(struct ms_thread *t);

/* On a thread whose timer was stopped. */
void ms_timed_resume(struct ms_thread *t);

/* The instruction that is executed next was to be told, with its registers. */
void ms_timed_learnt(struct ms_thread *t, const uint64_t *uc);

#endif
