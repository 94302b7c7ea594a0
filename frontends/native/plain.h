/* plain.h - what plain.c and many.c share. */
#ifndef MS_NATIVE_PLAIN_H
#define MS_NATIVE_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "interpose/interpose.h"
#include "recent.h"
#include "runtime/thread_state.h"

/*
 * busy and in_heap are read and written together, as one word: a load cannot be forwarded from two
 * narrower stores, but waits until they are in the cache.
 */
enum { MS_PLAIN_BUSY = 1 };
#define MS_PLAIN_IN_HEAP (UINT64_C(1) << 32)
_Static_assert(offsetof(struct ms_thread, in_heap) == offsetof(struct ms_thread, busy) + 4,
	       "ms_plain_work()");

static inline uint64_t *ms_plain_work(struct ms_thread *t)
{
	return (uint64_t *)&t->busy;
}

/* What a handler of the program does meanwhile is not recorded: see runtime.h. */
static inline void ms_plain_begin(struct ms_thread *t)
{
	*ms_plain_work(t) = MS_PLAIN_BUSY;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void ms_plain_end(struct ms_thread *t, uint64_t work)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*ms_plain_work(t) = work;
}

/* The size of the block that is being allocated. */
static inline uint64_t ms_plain_size(const struct ms_thread *t)
{
	return t->heap_word >> MS_WIRE_PACKED_SIZE_AT & (MS_WIRE_PACKED_SIZES - 1);
}

static inline uint64_t ms_plain_differs(const uint64_t *stack, uint64_t word)
{
	return stack[word >> MS_RECENT_VALUE_BITS] ^ word;
}

/* Whether r is the path of a call from pc with this sp. */
static inline bool ms_plain_is_path(const struct ms_recent *r, uint64_t pc, uint64_t sp)
{
	const uint64_t *stack = ms_recent_stack(sp);
	uint64_t other = 0;

	if (r->pc != pc || r->sp != sp || r->depth == 0)
		return false;
	for (const uint64_t *w = r->words, *last = w + r->depth; w < last; w += MS_RECENT_GROUP)
		other |= ms_plain_differs(stack, w[0]) | ms_plain_differs(stack, w[1]) |
			 ms_plain_differs(stack, w[2]) | ms_plain_differs(stack, w[3]);
	return other << (64 - MS_RECENT_VALUE_BITS) == 0;
}

/* Programs repeat sequences of calls: after a path comes the one that followed it before. Its lines
 * are prefetched while the program uses its block. */
static inline void ms_plain_expect_next(struct ms_thread *t, struct ms_recent *r)
{
	struct ms_recent *next = ms_recent_at(t->recent, r->next);

	t->recent_last = r;
	t->recent_next = next;
	__builtin_prefetch(next);
	__builtin_prefetch((const uint8_t *)next + 64);
	__builtin_prefetch((const uint8_t *)next + 128);
}

static inline uint64_t ms_plain_take_by(struct ms_thread *t, struct ms_recent *r, uint64_t size,
					uint64_t sp)
{
	uint64_t word = MS_WIRE_PACKED_ALLOC | (uint64_t)r->number << MS_WIRE_PACKED_PATH_AT |
			size << MS_WIRE_PACKED_SIZE_AT;

	ms_plain_expect_next(t, r);
	t->heap_word = word;
	/* Where heap.c's frame would be: heap.c uses it to detect that the call was left by a
	 * jump. */
	t->heap_frame = sp - sizeof(struct ms_wrap_frame);
	ms_plain_end(t, MS_PLAIN_IN_HEAP);
	return word;
}

/* The same for any cached path; 0: heap.c must handle the call. */
uint64_t ms_plain_look(struct ms_thread *t, uint64_t size, uint64_t pc, uint64_t sp);

/* heap.c ends a call that was begun here; returns the block. */
uint64_t ms_plain_leave(uint64_t block, uint64_t function);

/* --- many.c: the same where there are several threads --- */

/* The value of ms_plain with several threads: a dummy that belongs to no thread. */
extern uint64_t ms_many_nobody[];
#define MS_PLAIN_MANY ((struct ms_thread *)ms_many_nobody)

uint64_t ms_many_take(uint64_t size, uint64_t pc, uint64_t sp);
uint64_t ms_many_took(uint64_t block, uint64_t function);
uint64_t ms_many_free(uint64_t block);

#endif
