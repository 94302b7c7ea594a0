/* malloc_fast.h - what malloc_fast.c and malloc_threads.c share. */
#ifndef MS_NATIVE_HEAP_MALLOC_FAST_H
#define MS_NATIVE_HEAP_MALLOC_FAST_H

#include <stdbool.h>
#include <stdint.h>

#include "interpose/interpose.h"
#include "runtime/thread_state.h"
#include "unwind/path_cache.h"

/*
 * busy and in_heap are read and written together, as one word: a load cannot be forwarded from two
 * narrower stores, but waits until they are in the cache.
 */
enum { MS_HEAP_BUSY = 1 };
#define MS_HEAP_IN_CALL (UINT64_C(1) << 32)
_Static_assert(offsetof(struct ms_runtime_thread, in_heap) ==
		       offsetof(struct ms_runtime_thread, busy) + 4,
	       "ms_heap_get_call_state()");

static inline uint64_t *ms_heap_get_call_state(struct ms_runtime_thread *t)
{
	return (uint64_t *)&t->busy;
}

/* What a handler of the program does meanwhile is not recorded: see runtime.h. */
static inline void ms_heap_set_busy(struct ms_runtime_thread *t)
{
	*ms_heap_get_call_state(t) = MS_HEAP_BUSY;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void ms_heap_set_call_state(struct ms_runtime_thread *t, uint64_t work)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*ms_heap_get_call_state(t) = work;
}

/* The size of the block that is being allocated. */
static inline uint64_t ms_heap_get_pending_size(const struct ms_runtime_thread *t)
{
	return t->heap_word >> MS_WIRE_PACKED_SIZE_AT & (MS_WIRE_PACKED_SIZES - 1);
}

static inline uint64_t ms_heap_compare_stack_word(const uint64_t *stack, uint64_t word)
{
	return stack[word >> MS_UNWIND_PATH_CACHE_VALUE_BITS] ^ word;
}

/* Whether r is the path of a call from pc with this sp. */
static inline bool ms_heap_is_same_path(const struct ms_unwind_path_cache_entry *r, uint64_t pc,
					uint64_t sp)
{
	const uint64_t *stack = ms_unwind_get_compared_stack(sp);
	uint64_t other = 0;

	if (r->pc != pc || r->sp != sp || r->depth == 0)
		return false;
	for (const uint64_t *w = r->words, *last = w + r->depth; w < last;
	     w += MS_UNWIND_PATH_CACHE_COMPARE_WORDS)
		other |= ms_heap_compare_stack_word(stack, w[0]) |
			 ms_heap_compare_stack_word(stack, w[1]) |
			 ms_heap_compare_stack_word(stack, w[2]) |
			 ms_heap_compare_stack_word(stack, w[3]);
	return other << (64 - MS_UNWIND_PATH_CACHE_VALUE_BITS) == 0;
}

/* Programs repeat sequences of calls: after a path comes the one that followed it before. Its lines
 * are prefetched while the program uses its block. */
static inline void ms_heap_prefetch_next_path(struct ms_runtime_thread *t,
					      struct ms_unwind_path_cache_entry *r)
{
	struct ms_unwind_path_cache_entry *next = ms_unwind_get_entry_at(t->path_cache, r->next);

	t->path_last = r;
	t->path_next = next;
	__builtin_prefetch(next);
	__builtin_prefetch((const uint8_t *)next + 64);
	__builtin_prefetch((const uint8_t *)next + 128);
}

static inline uint64_t ms_heap_begin_alloc_with_path(struct ms_runtime_thread *t,
						     struct ms_unwind_path_cache_entry *r,
						     uint64_t size, uint64_t sp)
{
	uint64_t word = MS_WIRE_PACKED_ALLOC | (uint64_t)r->number << MS_WIRE_PACKED_PATH_AT |
			size << MS_WIRE_PACKED_SIZE_AT;

	ms_heap_prefetch_next_path(t, r);
	t->heap_word = word;
	/* Where malloc_calls.c's frame would be: malloc_calls.c uses it to detect that the call was
	 * left by a jump. */
	t->heap_frame = sp - sizeof(struct ms_interpose_frame);
	ms_heap_set_call_state(t, MS_HEAP_IN_CALL);
	return word;
}

/* The same for any cached path; 0: malloc_calls.c must handle the call. */
uint64_t ms_heap_begin_alloc_by_lookup(struct ms_runtime_thread *t, uint64_t size, uint64_t pc,
				       uint64_t sp);

/* malloc_calls.c ends a call that was begun here; returns the block. */
uint64_t ms_heap_end_alloc_slowly(uint64_t block, uint64_t function);

/* --- malloc_threads.c: the same where there are several threads --- */

/* The value of ms_heap_fast_path_thread with several threads: a dummy that belongs to no thread. */
extern uint64_t ms_heap_no_single_thread[];
#define MS_HEAP_FAST_PATH_THREADS ((struct ms_runtime_thread *)ms_heap_no_single_thread)

uint64_t ms_heap_begin_alloc_threaded(uint64_t size, uint64_t pc, uint64_t sp);
uint64_t ms_heap_end_alloc_threaded(uint64_t block, uint64_t function);
uint64_t ms_heap_record_free_threaded(uint64_t block);

#endif
