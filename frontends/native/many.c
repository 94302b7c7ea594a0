/*
 * many.c - the fast path of malloc and free with several threads: as plain.c, except that a block
 * is recorded with a stamp (stamp.c). heap.c handles realloc: whether it has moved a block is known
 * only when other threads may already have its memory (resize.c).
 */
#include "heap/heap.h"
#include "plain.h"
#include "recent.h"
#include "runtime/thread_state.h"
#include "stamp.h"
#include "sys.h"
#include "wire/stamped.h"
#include "wire/wire.h"

/* As much of a struct ms_thread as is read: it is never the running thread. */
uint64_t ms_many_nobody[2 * MS_PAGE / sizeof(uint64_t)];

/* As here() in heap.c, for a thread that is not traced. */
static inline struct ms_thread *here(uint64_t work)
{
	struct ms_thread *t = ms_self();

	return t->pointer == ms_thread_pointer() && *ms_plain_work(t) == work && !t->traced &&
			       t->stamped_at != NULL && t->own_count == 0
		       ? t
		       : NULL;
}

static inline bool has_room(struct ms_thread *t)
{
	return t->stamped_at < t->stamped_limit || ms_stamp_room(t);
}

uint64_t ms_many_take(uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_thread *t = here(0);

	if (t == NULL || size >= MS_WIRE_PACKED_SIZES || t->recent_next == NULL)
		return 0;
	ms_plain_begin(t);
	struct ms_recent *r = t->recent_next;

	if (!ms_plain_is_path(r, pc, sp) || r->number >= MS_WIRE_PACKED_PATHS)
		return ms_plain_look(t, size, pc, sp);
	return ms_plain_take_by(t, r, size, sp);
}

/* Whether nothing else must be recorded before this block. Actions of other threads are already
 * recorded: the stamp is taken after this check. */
static inline bool is_alone(const struct ms_thread *t, uint64_t block)
{
	return !ms_heap_is_beyond(block + ms_plain_size(t)) &&
	       __atomic_load_n(&ms_resize_under_way, __ATOMIC_RELAXED) == 0;
}

uint64_t ms_many_took(uint64_t block, uint64_t function)
{
	struct ms_thread *t = here(MS_PLAIN_IN_HEAP);

	if (t == NULL || block == 0 || !ms_wire_can_stamp(block) || !is_alone(t, block))
		return ms_plain_leave(block, function);
	ms_plain_begin(t);
	bool told = has_room(t);
	if (told)
		ms_stamp_put(t, t->heap_word, block);
	ms_plain_end(t, told ? 0 : MS_PLAIN_IN_HEAP);
	return told ? block : ms_plain_leave(block, function);
}

uint64_t ms_many_free(uint64_t block)
{
	struct ms_thread *t = here(0);

	if (block == 0)
		return 1;
	if (t == NULL || !ms_wire_can_stamp(block))
		return 0;
	ms_plain_begin(t);
	bool told = has_room(t);
	if (told)
		ms_stamp_put(t, 0, block);
	ms_plain_end(t, 0);
	return told;
}
