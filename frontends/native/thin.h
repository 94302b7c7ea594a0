/* thin.h - samples the heap blocks that are recorded while the program is sampled: see thin.c. */
#ifndef MS_NATIVE_THIN_H
#define MS_NATIVE_THIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_thread;

/* Part of struct ms_thread. `until` is separate, where wrap.S finds it: bytes that may be allocated
 * before the next block is recorded. */
struct ms_thin {
	uint64_t mean;   /* mean of `until`, from now on; 0: all blocks are recorded ... */
	uint64_t drawn;  /* ... and the mean of the last draw ... */
	uint64_t chosen; /* ... and of the draw before: for the chosen block */
	uint64_t random;
	/* Since the current round began: */
	uint64_t cpu; /* its start, in the thread's CPU time */
	uint64_t bytes;
	uint32_t calls, allocs;
	/* Of the calls that are measured: */
	uint64_t ticks;
	uint32_t measured;
	uint32_t charge; /* estimated nanoseconds of a call */
	uint64_t spent;  /* cost of all calls of the thread */
};

/* wish: millionths of the time that recording may take; 0: all blocks are recorded. */
void ms_thin_start(struct ms_thread *t, uint64_t wish);
void ms_thin_thread(struct ms_thread *t);
extern uint8_t *ms_thin_taken;
extern uint64_t *ms_thin_kept;
static inline bool ms_thin_is_on(void)
{
	return ms_thin_taken != NULL;
}
/* wrap.S has chosen a block to be recorded; or: whether a block of so many bytes is chosen. */
void ms_thin_chosen(struct ms_thread *t);
bool ms_thin_chooses(struct ms_thread *t, uint64_t size);
/* The mean with which the block was chosen; 0: all are recorded. */
uint64_t ms_thin_mean(const struct ms_thread *t);
/* Remembers a block that will be recorded, because its free must be recorded, too. False: no
 * room. */
bool ms_thin_keep(struct ms_thread *t, uint64_t block, uint64_t size);
/* Removes a block; whether it was remembered. */
bool ms_thin_drop(uint64_t block);
/* Before and after the runtime's work for a call, if sampling is on: measures some of the calls. */
uint64_t ms_thin_begin(const struct ms_thread *t);
void ms_thin_end(struct ms_thread *t, uint64_t began);
/* Likewise: a call was recorded, for a block of so many bytes; free: 0. */
void ms_thin_count(struct ms_thread *t, uint64_t bytes);

#endif
