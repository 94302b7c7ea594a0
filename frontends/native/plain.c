/*
 * plain.c - malloc, realloc and free where all is as simple as it mostly is: the program has one
 * thread, it is not traced just now, every block is told, and nobody wants to know more than that.
 * wrap.S asks here first; whatever is otherwise is heap.c's.
 *
 * A program that allocates much comes here some million times a second, with its own data in the
 * caches: what counts is how many lines of ours are touched. So the thread's words stand in two of
 * them (runtime.h), and an event is written in place.
 */
#include "runtime.h"

#include "sys.h"

static bool allowed;

void ms_plain_switch(bool may)
{
	allowed = may && !ms_thin_is_on() && !ms_config.follow && !ms_config.times;
	ms_plain = allowed;
}

/* Not in a child that nobody told us of. */
void ms_plain_trace(bool traced)
{
	ms_plain = ms_on && allowed && !traced;
}

/* As here() in heap.c. A child that nobody told us of finds 0 in both words. */
static inline struct ms_thread *here(void)
{
	struct ms_thread *t;

	if (!ms_on || !ms_plain)
		return NULL;
	t = ms_self();
	return t->pointer == ms_thread_pointer() &&
			       (t->busy | t->traced | t->stopped | t->ended) == 0
		       ? t
		       : NULL;
}

/* What a handler of the program does meanwhile is not told: see runtime.h. */
static inline void begin(struct ms_thread *t)
{
	t->busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void end(struct ms_thread *t)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->busy = 0;
}

/* Of one word or two; there is room (MS_WIRE_RESERVE_WORDS). */
static inline void put(struct ms_thread *t, uint64_t head, uint64_t first, uint64_t second,
		       uint32_t n)
{
	uint64_t *at = (uint64_t *)t->lane.cursor;
	struct ms_wire_index *events = t->events;
	uint32_t count = events->count;

	if (count < MS_WIRE_INDEXED)
		events->at[count] = (uint32_t)(((uint64_t)at - t->lane.chunk_start) / 8);
	events->count = count + 1;
	at[0] = head;
	at[1] = first;
	if (n > 1)
		at[2] = second;
	t->lane.cursor = (uint64_t)(at + 1 + n);
}

/* For two of them: see MS_WIRE_RESERVE_WORDS. */
static inline bool has_room(const struct ms_thread *t)
{
	return t->lane.cursor + 2 * 8 < t->limit;
}

/* 0: heap.c is to be asked. Else the real function is to be called, and then ms_plain_took(). */
static inline uint64_t take(uint64_t block, uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_thread *t = here();

	if (t == NULL || (t->in_heap | t->own_count | t->heap_resize) != 0)
		return 0;
	begin(t);
	uint32_t path = ms_path_again(t, pc, sp);
	if (path != MS_WIRE_NO_PATH) {
		t->heap_block = block;
		t->heap_size = size;
		t->heap_path = path;
		t->heap_told = true;
		/* Where heap.c's frame would be: it looks whether the call was left by a jump. */
		t->heap_frame = sp - sizeof(struct ms_wrap_frame);
		t->in_heap = 1;
	}
	end(t);
	return path != MS_WIRE_NO_PATH;
}

uint64_t ms_plain_take(uint64_t size, uint64_t pc, uint64_t sp);
uint64_t ms_plain_take(uint64_t size, uint64_t pc, uint64_t sp)
{
	return take(0, size, pc, sp);
}

/* No other thread can be given the block's memory before we tell that it is gone: resize.c need not
 * know. */
uint64_t ms_plain_resize(uint64_t block, uint64_t size, uint64_t pc, uint64_t sp);
uint64_t ms_plain_resize(uint64_t block, uint64_t size, uint64_t pc, uint64_t sp)
{
	return take(block, size, pc, sp);
}

/* The heap has grown: see heap.c. */
static inline bool is_beyond(uint64_t block)
{
	return block - ms_maps_heap_end < MS_HEAP_NEAR;
}

void ms_plain_took(uint64_t function, uint64_t block);
void ms_plain_took(uint64_t function, uint64_t block)
{
	struct ms_thread *t = here();

	if (t == NULL || block == 0 || is_beyond(block) || !has_room(t)) {
		ms_heap_leave(function, block);
		return;
	}
	begin(t);
	if (t->heap_block != 0)
		put(t, ms_wire_head(MS_WIRE_FREE, 2, 0), t->heap_block, 0, 1);
	put(t, ms_wire_head(MS_WIRE_ALLOC, 3, t->heap_path), block, t->heap_size, 2);
	t->in_heap = 0;
	end(t);
}

/* 0: heap.c is to be asked; else the real function is to be called, and that is all. */
uint64_t ms_plain_free(uint64_t block);
uint64_t ms_plain_free(uint64_t block)
{
	struct ms_thread *t = here();

	if (t == NULL || (t->in_heap | t->own_count | t->heap_resize) != 0 || !has_room(t))
		return 0;
	if (block == 0)
		return 1;
	begin(t);
	put(t, ms_wire_head(MS_WIRE_FREE, 2, 0), block, 0, 1);
	end(t);
	return 1;
}
