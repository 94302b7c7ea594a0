/* alloc_sampling.h - samples the heap blocks that are recorded while the program is sampled: see
 * alloc_sampling.c. */
#ifndef MS_NATIVE_HEAP_ALLOC_SAMPLING_H
#define MS_NATIVE_HEAP_ALLOC_SAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/thread_state.h"

struct ms_runtime_thread;

/* Part of struct ms_runtime_thread. `until` is separate, where interpose.S finds it: bytes that may
 * be allocated before the next block is recorded. */
struct ms_heap_alloc_sampling {
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
	uint32_t call_cost; /* estimated nanoseconds of a call */
	uint64_t spent;     /* cost of all calls of the thread */
};
_Static_assert(sizeof(struct ms_heap_alloc_sampling) <= MS_RUNTIME_ALLOC_SAMPLING_BYTES,
	       "thread_state.h");

/* Of this thread. */
static inline struct ms_heap_alloc_sampling *
ms_heap_get_alloc_sampling(const struct ms_runtime_thread *t)
{
	return (struct ms_heap_alloc_sampling *)(uintptr_t)t->alloc_sampling;
}

/* max_overhead_ppm: millionths of the time that recording may take; 0: all blocks are recorded. */
void ms_heap_start_alloc_sampling(struct ms_runtime_thread *t, uint64_t max_overhead_ppm);
void ms_heap_start_thread_alloc_sampling(struct ms_runtime_thread *t);
extern uint8_t *ms_heap_recorded_filter;
extern uint64_t *ms_heap_recorded_blocks;
static inline bool ms_heap_is_alloc_sampling(void)
{
	return ms_heap_recorded_filter != NULL;
}
/* interpose.S has chosen a block to be recorded; or: whether a block of so many bytes is chosen. */
void ms_heap_draw_next_sample(struct ms_runtime_thread *t);
bool ms_heap_is_block_sampled(struct ms_runtime_thread *t, uint64_t size);
/* The mean with which the block was chosen; 0: all are recorded. */
uint64_t ms_heap_get_sample_mean(const struct ms_runtime_thread *t);
/* Remembers a block that will be recorded, because its free must be recorded, too. False: no
 * room. */
bool ms_heap_remember_recorded(struct ms_runtime_thread *t, uint64_t block, uint64_t size);
/* Removes a block; whether it was remembered. */
bool ms_heap_forget_recorded(uint64_t block);
/* Before and after the runtime's work for a call, if sampling is on: measures some of the calls. */
uint64_t ms_heap_begin_cost_measure(const struct ms_runtime_thread *t);
void ms_heap_end_cost_measure(struct ms_runtime_thread *t, uint64_t began);
/* Likewise: a call was recorded, for a block of so many bytes; free: 0. */
void ms_heap_count_recorded_call(struct ms_runtime_thread *t, uint64_t bytes);

#endif
