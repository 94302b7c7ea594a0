/* thin.h - which blocks memspy is told of while the program is sampled: see thin.c. */
#ifndef MS_NATIVE_THIN_H
#define MS_NATIVE_THIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ms_thread;

/* What stands in struct ms_thread. `until` is apart from it, where wrap.S finds it: bytes that may
 * be allocated before the next block is told. */
struct ms_thin {
	uint64_t mean;   /* of `until`, from now on; 0: all blocks are told ... */
	uint64_t drawn;  /* ... and when it was drawn last ... */
	uint64_t chosen; /* ... and the time before: of the chosen block */
	uint64_t random;
	/* Since the round began: */
	uint64_t cpu; /* when that was, in the thread's processor time */
	uint64_t bytes;
	uint32_t calls, allocs;
	/* Of calls that are measured: */
	uint64_t ticks;
	uint32_t measured;
	uint32_t charge; /* nanoseconds that a call is taken to cost */
	uint64_t spent;  /* all that the thread's calls have cost */
};

/* Millionths of the time that telling may take; 0: all is told. */
void ms_thin_start(struct ms_thread *t, uint64_t wish);
void ms_thin_thread(struct ms_thread *t);
extern uint8_t *ms_thin_taken;
extern uint64_t *ms_thin_kept;
static inline bool ms_thin_is_on(void)
{
	return ms_thin_taken != NULL;
}
/* A block of so many bytes is to be told: wrap.S has found so; or whether it is. */
void ms_thin_chosen(struct ms_thread *t);
bool ms_thin_chooses(struct ms_thread *t, uint64_t size);
/* The mean by which it was chosen; 0: all were. */
uint64_t ms_thin_mean(const struct ms_thread *t);
/* It will be told: its free must be, too. False: there is no room to remember it. */
bool ms_thin_keep(struct ms_thread *t, uint64_t block, uint64_t size);
/* Whether it was; not any more. */
bool ms_thin_drop(uint64_t block);
/* Around the runtime's own work for a call, where it is on: its time is taken now and then. */
uint64_t ms_thin_begin(const struct ms_thread *t);
void ms_thin_end(struct ms_thread *t, uint64_t began);
/* Likewise: a call has been told, of a block of so many bytes; free: 0. */
void ms_thin_count(struct ms_thread *t, uint64_t bytes);

#endif
