/*
 * malloc_threads.c - the fast path of malloc and free with several threads: as malloc_fast.c,
 * except that a block is recorded with a stamp (stamped_lanes.c). malloc_calls.c handles realloc:
 * whether it has moved a block is known only when other threads may already have its memory
 * (pending_reallocs.c).
 */
#include "heap/heap.h"
#include "heap/malloc_fast.h"
#include "raw_syscall.h"
#include "runtime/lanes.h"
#include "runtime/stamped_lanes.h"
#include "runtime/thread_state.h"
#include "unwind/path_cache.h"
#include "wire/stamped.h"
#include "wire/wire.h"

/* As much of a struct ms_runtime_thread as is read: it is never the running thread. */
uint64_t ms_heap_no_single_thread[2 * MS_RUNTIME_PAGE_BYTES / sizeof(uint64_t)];

/* As get_thread() in malloc_calls.c, for a thread that is not traced. */
static inline struct ms_runtime_thread *get_thread(uint64_t work)
{
	struct ms_runtime_thread *t = ms_runtime_get_thread();

	return t->thread_pointer == ms_runtime_get_thread_pointer() &&
			       *ms_heap_get_call_state(t) == work && !t->traced &&
			       t->stamped_at != NULL && t->private_depth == 0
		       ? t
		       : NULL;
}

static inline bool has_room(struct ms_runtime_thread *t)
{
	return t->stamped_at < t->stamped_limit || ms_runtime_wait_for_stamped_room(t);
}

uint64_t ms_heap_begin_alloc_threaded(uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_runtime_thread *t = get_thread(0);

	if (t == NULL || size >= MS_WIRE_PACKED_SIZES || t->path_next == NULL)
		return 0;
	ms_heap_set_busy(t);
	struct ms_unwind_path_cache_entry *r = t->path_next;

	if (!ms_heap_is_same_path(r, pc, sp) || r->number >= MS_WIRE_PACKED_PATHS)
		return ms_heap_begin_alloc_by_lookup(t, size, pc, sp);
	return ms_heap_begin_alloc_with_path(t, r, size, sp);
}

/* Whether nothing else must be recorded before this block. Actions of other threads are already
 * recorded: the stamp is taken after this check. */
static inline bool needs_no_other_event(const struct ms_runtime_thread *t, uint64_t block)
{
	return !ms_runtime_is_beyond_heap_end(block + ms_heap_get_pending_size(t)) &&
	       __atomic_load_n(&ms_heap_pending_reallocs, __ATOMIC_RELAXED) == 0;
}

uint64_t ms_heap_end_alloc_threaded(uint64_t block, uint64_t function)
{
	struct ms_runtime_thread *t = get_thread(MS_HEAP_IN_CALL);

	if (t == NULL || block == 0 || !ms_wire_can_stamp(block) || !needs_no_other_event(t, block))
		return ms_heap_end_alloc_slowly(block, function);
	ms_heap_set_busy(t);
	bool is_written = has_room(t);
	if (is_written)
		ms_runtime_write_stamped(t, t->heap_word, block);
	ms_heap_set_call_state(t, is_written ? 0 : MS_HEAP_IN_CALL);
	return is_written ? block : ms_heap_end_alloc_slowly(block, function);
}

uint64_t ms_heap_record_free_threaded(uint64_t block)
{
	struct ms_runtime_thread *t = get_thread(0);

	if (block == 0)
		return 1;
	if (t == NULL || !ms_wire_can_stamp(block))
		return 0;
	ms_heap_set_busy(t);
	bool is_written = has_room(t);
	if (is_written)
		ms_runtime_write_stamped(t, 0, block);
	ms_heap_set_call_state(t, 0);
	return is_written;
}
