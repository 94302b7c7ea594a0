/*
 * plain.c - the fast path of malloc, realloc and free for the common case: the program has one
 * thread, it is not traced at the moment, every block is recorded, and no other data is collected.
 * wrap.S calls this file first; heap.c handles all other cases.
 *
 * A program that allocates much gets here some million times per second, with its own data in the
 * caches. So the cost is the number of cache lines touched, and the instructions between the
 * program's own waits for memory. Therefore the thread's words are in two lines (thread_state.h),
 * and a block is a word of a record that is already open (pack.c).
 */
#include "plain.h"

#include "heap/heap.h"
#include "recent.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/thread_state.h"
#include "stamp.h"
#include "sys.h"
#include "thin.h"
#include "wire/wire.h"
#include "wrap.h"

static bool allowed, many;

void ms_plain_switch(bool may)
{
	allowed = may && !ms_thin_is_on() && !ms_config.follow && !ms_config.times;
	if (many)
		ms_plain = allowed && ms_stamps.on ? MS_PLAIN_MANY : NULL;
	else
		ms_plain = allowed ? ms_self() : NULL;
}

void ms_plain_many(bool there_are)
{
	many = there_are;
	ms_plain_switch(allowed);
}

/* Not in a child whose fork was not noticed. With several threads, some may be traced. */
void ms_plain_trace(bool traced)
{
	if (many)
		return;
	if (traced && ms_plain != NULL)
		ms_lane_pack_end(ms_plain);
	ms_plain = ms_on && allowed && !traced ? ms_self() : NULL;
}

/* Like here() in heap.c. A child whose fork was not noticed finds no thread. */
static inline struct ms_thread *here(void)
{
	struct ms_thread *t = ms_plain;

	return t != NULL && t->pointer == ms_thread_pointer() && *ms_plain_work(t) == 0 ? t : NULL;
}

/* The same while a call that came from here is in progress. */
static inline struct ms_thread *here_again(void)
{
	struct ms_thread *t = ms_plain;

	return t != NULL && *ms_plain_work(t) == MS_PLAIN_IN_HEAP ? t : NULL;
}

/* The block's offset, as encoded in a word; more than packed_span: it cannot be encoded. */
static inline uint64_t place_of(const struct ms_thread *t, uint64_t block)
{
	uint64_t above = block - t->packed_base;

	return above >> MS_WIRE_PACKED_UNIT | above << (64 - MS_WIRE_PACKED_UNIT);
}

static inline bool fits(const struct ms_thread *t, uint64_t place)
{
	return place < t->packed_span && t->lane.cursor < t->packed_limit;
}

/* The whole block: if the heap has grown beyond that, the growth must be recorded first. */
static inline bool fits_whole(const struct ms_thread *t, uint64_t place)
{
	return place < t->packed_span - (ms_plain_size(t) >> MS_WIRE_PACKED_UNIT) &&
	       t->lane.cursor < t->packed_limit;
}

static inline void put(struct ms_thread *t, uint64_t word)
{
	uint64_t *at = (uint64_t *)t->lane.cursor;

	*at = word;
	t->lane.cursor = (uint64_t)(at + 1);
}

/* --- allocation --- */

/* The last call path was another one, or none. */
__attribute__((noinline)) uint64_t ms_plain_look(struct ms_thread *t, uint64_t size, uint64_t pc,
						 uint64_t sp)
{
	struct ms_recent *r = ms_recent_candidate(t->recent, pc, sp);

	if (r == NULL || !ms_plain_is_path(r, pc, sp) || r->number >= MS_WIRE_PACKED_PATHS) {
		ms_plain_end(t, 0);
		return 0;
	}
	t->recent_last->next = (uint32_t)((uint8_t *)r - (uint8_t *)t->recent);
	return ms_plain_take_by(t, r, size, sp);
}

static __attribute__((noinline)) uint64_t begin_take(struct ms_thread *t, uint64_t size,
						     uint64_t pc, uint64_t sp)
{
	if (!ms_lane_may_pack(t))
		return 0;
	ms_plain_begin(t);
	return ms_plain_look(t, size, pc, sp);
}

/* 0: heap.c must handle it. Otherwise wrap.S calls the real function, and then ms_plain_took(). */
static inline uint64_t take(struct ms_thread *t, uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_recent *r = t->recent_next;

	if (size >= MS_WIRE_PACKED_SIZES || r == NULL)
		return 0;
	if (t->packed_limit == 0)
		return begin_take(t, size, pc, sp);
	ms_plain_begin(t);
	if (!ms_plain_is_path(r, pc, sp) || r->number >= MS_WIRE_PACKED_PATHS)
		return ms_plain_look(t, size, pc, sp);
	return ms_plain_take_by(t, r, size, sp);
}

uint64_t ms_plain_take(uint64_t size, uint64_t pc, uint64_t sp);
uint64_t ms_plain_take(uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_thread *t = here();

	if (t != NULL)
		return take(t, size, pc, sp);
	return ms_plain == MS_PLAIN_MANY ? ms_many_take(size, pc, sp) : 0;
}

/* No other thread can get the block's memory before its release is recorded: resize.c is not
 * needed. */
uint64_t ms_plain_resize(uint64_t block, uint64_t size, uint64_t pc, uint64_t sp);
uint64_t ms_plain_resize(uint64_t block, uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_thread *t = here();

	if (t == NULL)
		return 0;
	t->heap_block = block;
	return take(t, size, pc, sp);
}

static bool began(struct ms_thread *t, uint64_t block)
{
	ms_plain_begin(t);
	bool packs = ms_lane_pack(t, block, ms_plain_size(t));
	if (packs)
		put(t, t->heap_word | place_of(t, block));
	ms_plain_end(t, packs ? 0 : MS_PLAIN_IN_HEAP);
	return packs;
}

uint64_t ms_plain_leave(uint64_t block, uint64_t function)
{
	struct ms_thread *t = ms_self();
	uint64_t told[MS_WIRE_UNPACKED];

	ms_wire_unpack(0, t->heap_word, told);
	t->heap_path = ms_wire_arg_of(told[0]);
	t->heap_size = told[2];
	t->heap_told = true;
	if (function != MS_WRAP_realloc)
		t->heap_block = 0;
	ms_heap_leave(function, block);
	return block;
}

/* The first block for some time, or a case that is not simple. */
static __attribute__((noinline)) uint64_t leave(uint64_t block, uint64_t function)
{
	struct ms_thread *t = here_again();

	if (ms_plain == MS_PLAIN_MANY)
		return ms_many_took(block, function);
	if (t != NULL && block != 0 && function != MS_WRAP_realloc && began(t, block))
		return block;
	return ms_plain_leave(block, function);
}

/* Returns the block, which wrap.S then returns. */
uint64_t ms_plain_took(uint64_t block, uint64_t function);
uint64_t ms_plain_took(uint64_t block, uint64_t function)
{
	struct ms_thread *t = here_again();
	uint64_t place;

	if (t == NULL || block == 0 || (place = place_of(t, block), !fits_whole(t, place)))
		return leave(block, function);
	ms_plain_begin(t);
	put(t, t->heap_word | place);
	ms_plain_end(t, 0);
	return block;
}

uint64_t ms_plain_resized(uint64_t block, uint64_t function);
uint64_t ms_plain_resized(uint64_t block, uint64_t function)
{
	struct ms_thread *t = here_again();
	uint64_t place, old;

	if (t == NULL || block == 0 || (place = place_of(t, block), !fits_whole(t, place)) ||
	    (old = place_of(t, t->heap_block), t->heap_block != 0 && !fits(t, old)))
		return leave(block, function);
	ms_plain_begin(t);
	if (t->heap_block != 0)
		put(t, old);
	put(t, t->heap_word | place);
	ms_plain_end(t, 0);
	return block;
}

/* --- free --- */

/* Nothing was recorded recently, or another kind of record. */
static __attribute__((noinline)) uint64_t begin_free(struct ms_thread *t, uint64_t block)
{
	if (block == 0)
		return 1;
	ms_plain_begin(t);
	bool packs = ms_lane_pack(t, block, 0);
	if (packs)
		put(t, place_of(t, block));
	ms_plain_end(t, 0);
	return packs;
}

/* 0: heap.c must handle it. Otherwise wrap.S calls the real function, and that is all. */
uint64_t ms_plain_free(uint64_t block);
uint64_t ms_plain_free(uint64_t block)
{
	struct ms_thread *t = here();

	if (t == NULL)
		return ms_plain == MS_PLAIN_MANY ? ms_many_free(block) : 0;
	uint64_t place = place_of(t, block);
	if (!fits(t, place))
		return begin_free(t, block);
	ms_plain_begin(t);
	put(t, place);
	ms_plain_end(t, 0);
	return 1;
}
