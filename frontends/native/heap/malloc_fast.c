/*
 * malloc_fast.c - the fast path of malloc, realloc and free for the common case: the program has
 * one thread, it is not traced at the moment, every block is recorded, and no other data is
 * collected. interpose.S calls this file first; malloc_calls.c handles all other cases.
 *
 * A program that allocates much gets here some million times per second, with its own data in the
 * caches. So the cost is the number of cache lines touched, and the instructions between the
 * program's own waits for memory. Therefore the thread's words are in two lines (thread_state.h),
 * and a block is a word of a record that is already open (packed_records.c).
 */
#include "heap/malloc_fast.h"

#include "heap/alloc_sampling.h"
#include "heap/heap.h"
#include "interpose/function_numbers.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/runtime.h"
#include "runtime/stamped_lanes.h"
#include "runtime/thread_state.h"
#include "unwind/path_cache.h"
#include "wire/wire.h"

static bool allowed, is_multithreaded;

void ms_heap_enable_fast_path(bool may)
{
	allowed = may && !ms_heap_is_alloc_sampling() && !ms_runtime_config.follow_children &&
		  !ms_runtime_config.with_times;
	if (is_multithreaded)
		ms_heap_fast_path_thread =
			allowed && ms_runtime_timestamps.on ? MS_HEAP_FAST_PATH_THREADS : NULL;
	else
		ms_heap_fast_path_thread = allowed ? ms_runtime_get_thread() : NULL;
}

void ms_heap_set_multithreaded(bool there_are)
{
	is_multithreaded = there_are;
	ms_heap_enable_fast_path(allowed);
}

/* Not in a child whose fork was not noticed. With several threads, some may be traced. */
void ms_heap_set_traced(bool traced)
{
	if (is_multithreaded)
		return;
	if (traced && ms_heap_fast_path_thread != NULL)
		ms_runtime_end_packed_record(ms_heap_fast_path_thread);
	ms_heap_fast_path_thread =
		ms_runtime_active && allowed && !traced ? ms_runtime_get_thread() : NULL;
}

/* Like get_thread() in malloc_calls.c. A child whose fork was not noticed finds no thread. */
static inline struct ms_runtime_thread *get_thread(void)
{
	struct ms_runtime_thread *t = ms_heap_fast_path_thread;

	return t != NULL && t->thread_pointer == ms_runtime_get_thread_pointer() &&
			       *ms_heap_get_call_state(t) == 0
		       ? t
		       : NULL;
}

/* The same while a call that came from here is in progress. */
static inline struct ms_runtime_thread *get_thread_in_call(void)
{
	struct ms_runtime_thread *t = ms_heap_fast_path_thread;

	return t != NULL && *ms_heap_get_call_state(t) == MS_HEAP_IN_CALL ? t : NULL;
}

/* The block's offset, as encoded in a word; more than packed_span: it cannot be encoded. */
static inline uint64_t get_packed_offset(const struct ms_runtime_thread *t, uint64_t block)
{
	uint64_t above = block - t->packed_base;

	return above >> MS_WIRE_PACKED_UNIT | above << (64 - MS_WIRE_PACKED_UNIT);
}

static inline bool fits_record(const struct ms_runtime_thread *t, uint64_t packed_offset)
{
	return packed_offset < t->packed_span && t->lane.cursor < t->packed_limit;
}

/* The whole block: if the heap has grown beyond that, the growth must be recorded first. */
static inline bool fits_record_whole(const struct ms_runtime_thread *t, uint64_t packed_offset)
{
	return packed_offset <
		       t->packed_span - (ms_heap_get_pending_size(t) >> MS_WIRE_PACKED_UNIT) &&
	       t->lane.cursor < t->packed_limit;
}

static inline void append_word(struct ms_runtime_thread *t, uint64_t word)
{
	uint64_t *at = (uint64_t *)t->lane.cursor;

	*at = word;
	t->lane.cursor = (uint64_t)(at + 1);
}

/* --- allocation --- */

/* The last call path was another one, or none. */
__attribute__((noinline)) uint64_t
ms_heap_begin_alloc_by_lookup(struct ms_runtime_thread *t, uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_unwind_path_cache_entry *r = ms_unwind_find_candidate(t->path_cache, pc, sp);

	if (r == NULL || !ms_heap_is_same_path(r, pc, sp) || r->number >= MS_WIRE_PACKED_PATHS) {
		ms_heap_set_call_state(t, 0);
		return 0;
	}
	t->path_last->next = (uint32_t)((uint8_t *)r - (uint8_t *)t->path_cache);
	return ms_heap_begin_alloc_with_path(t, r, size, sp);
}

static __attribute__((noinline)) uint64_t
begin_alloc_without_record(struct ms_runtime_thread *t, uint64_t size, uint64_t pc, uint64_t sp)
{
	if (!ms_runtime_can_begin_packed_record(t))
		return 0;
	ms_heap_set_busy(t);
	return ms_heap_begin_alloc_by_lookup(t, size, pc, sp);
}

/* 0: malloc_calls.c must handle it. Otherwise interpose.S calls the real function, and then
 * ms_heap_end_alloc_fast(). */
static inline uint64_t begin_alloc(struct ms_runtime_thread *t, uint64_t size, uint64_t pc,
				   uint64_t sp)
{
	struct ms_unwind_path_cache_entry *r = t->path_next;

	if (size >= MS_WIRE_PACKED_SIZES || r == NULL)
		return 0;
	if (t->packed_limit == 0)
		return begin_alloc_without_record(t, size, pc, sp);
	ms_heap_set_busy(t);
	if (!ms_heap_is_same_path(r, pc, sp) || r->number >= MS_WIRE_PACKED_PATHS)
		return ms_heap_begin_alloc_by_lookup(t, size, pc, sp);
	return ms_heap_begin_alloc_with_path(t, r, size, sp);
}

uint64_t ms_heap_begin_alloc_fast(uint64_t size, uint64_t pc, uint64_t sp);
uint64_t ms_heap_begin_alloc_fast(uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_runtime_thread *t = get_thread();

	if (t != NULL)
		return begin_alloc(t, size, pc, sp);
	return ms_heap_fast_path_thread == MS_HEAP_FAST_PATH_THREADS
		       ? ms_heap_begin_alloc_threaded(size, pc, sp)
		       : 0;
}

/* No other thread can get the block's memory before its release is recorded: pending_reallocs.c is
 * not needed. */
uint64_t ms_heap_begin_realloc_fast(uint64_t block, uint64_t size, uint64_t pc, uint64_t sp);
uint64_t ms_heap_begin_realloc_fast(uint64_t block, uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_runtime_thread *t = get_thread();

	if (t == NULL)
		return 0;
	t->heap_block = block;
	return begin_alloc(t, size, pc, sp);
}

static bool begin_record_with(struct ms_runtime_thread *t, uint64_t block)
{
	ms_heap_set_busy(t);
	bool packs = ms_runtime_begin_packed_record(t, block, ms_heap_get_pending_size(t));
	if (packs)
		append_word(t, t->heap_word | get_packed_offset(t, block));
	ms_heap_set_call_state(t, packs ? 0 : MS_HEAP_IN_CALL);
	return packs;
}

uint64_t ms_heap_end_alloc_slowly(uint64_t block, uint64_t function)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();
	uint64_t record[MS_WIRE_UNPACKED];

	ms_wire_unpack(0, t->heap_word, record);
	t->heap_path = ms_wire_arg_of(record[0]);
	t->heap_size = record[2];
	t->heap_recorded = true;
	if (function != MS_INTERPOSE_realloc)
		t->heap_block = 0;
	ms_heap_end_call(function, block);
	return block;
}

/* The first block for some time, or a case that is not simple. */
static __attribute__((noinline)) uint64_t end_alloc(uint64_t block, uint64_t function)
{
	struct ms_runtime_thread *t = get_thread_in_call();

	if (ms_heap_fast_path_thread == MS_HEAP_FAST_PATH_THREADS)
		return ms_heap_end_alloc_threaded(block, function);
	if (t != NULL && block != 0 && function != MS_INTERPOSE_realloc &&
	    begin_record_with(t, block))
		return block;
	return ms_heap_end_alloc_slowly(block, function);
}

/* Returns the block, which interpose.S then returns. */
uint64_t ms_heap_end_alloc_fast(uint64_t block, uint64_t function);
uint64_t ms_heap_end_alloc_fast(uint64_t block, uint64_t function)
{
	struct ms_runtime_thread *t = get_thread_in_call();
	uint64_t packed_offset;

	if (t == NULL || block == 0 ||
	    (packed_offset = get_packed_offset(t, block), !fits_record_whole(t, packed_offset)))
		return end_alloc(block, function);
	ms_heap_set_busy(t);
	append_word(t, t->heap_word | packed_offset);
	ms_heap_set_call_state(t, 0);
	return block;
}

uint64_t ms_heap_end_realloc_fast(uint64_t block, uint64_t function);
uint64_t ms_heap_end_realloc_fast(uint64_t block, uint64_t function)
{
	struct ms_runtime_thread *t = get_thread_in_call();
	uint64_t packed_offset, old;

	if (t == NULL || block == 0 ||
	    (packed_offset = get_packed_offset(t, block), !fits_record_whole(t, packed_offset)) ||
	    (old = get_packed_offset(t, t->heap_block), t->heap_block != 0 && !fits_record(t, old)))
		return end_alloc(block, function);
	ms_heap_set_busy(t);
	if (t->heap_block != 0)
		append_word(t, old);
	append_word(t, t->heap_word | packed_offset);
	ms_heap_set_call_state(t, 0);
	return block;
}

/* --- free --- */

/* Nothing was recorded recently, or another kind of record. */
static __attribute__((noinline)) uint64_t begin_record_with_free(struct ms_runtime_thread *t,
								 uint64_t block)
{
	if (block == 0)
		return 1;
	ms_heap_set_busy(t);
	bool packs = ms_runtime_begin_packed_record(t, block, 0);
	if (packs)
		append_word(t, get_packed_offset(t, block));
	ms_heap_set_call_state(t, 0);
	return packs;
}

/* 0: malloc_calls.c must handle it. Otherwise interpose.S calls the real function, and that is all.
 */
uint64_t ms_heap_record_free_fast(uint64_t block);
uint64_t ms_heap_record_free_fast(uint64_t block)
{
	struct ms_runtime_thread *t = get_thread();

	if (t == NULL)
		return ms_heap_fast_path_thread == MS_HEAP_FAST_PATH_THREADS
			       ? ms_heap_record_free_threaded(block)
			       : 0;
	uint64_t packed_offset = get_packed_offset(t, block);
	if (!fits_record(t, packed_offset))
		return begin_record_with_free(t, block);
	ms_heap_set_busy(t);
	append_word(t, packed_offset);
	ms_heap_set_call_state(t, 0);
	return 1;
}
