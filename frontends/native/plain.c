/*
 * plain.c - malloc, realloc and free where all is as simple as it mostly is: the program has one
 * thread, it is not traced just now, every block is told, and nobody wants to know more than that.
 * wrap.S asks here first; whatever is otherwise is heap.c's.
 *
 * A program that allocates much comes here some million times a second, with its own data in the
 * caches: what counts is how many lines of ours are touched, and how few instructions stand between
 * the program's own waits for memory. So the thread's words stand in two lines (runtime.h), and a
 * block is a word of a record that is open already (pack.c).
 */
#include "runtime.h"

#include "sys.h"

static bool allowed;

void ms_plain_switch(bool may)
{
	allowed = may && !ms_thin_is_on() && !ms_config.follow && !ms_config.times;
	ms_plain = allowed ? ms_self() : NULL;
}

/* Not in a child that nobody told us of. */
void ms_plain_trace(bool traced)
{
	if (traced && ms_plain != NULL)
		ms_lane_pack_end(ms_plain);
	ms_plain = ms_on && allowed && !traced ? ms_self() : NULL;
}

/*
 * busy and in_heap are looked at and set together, as one word: what was written in parts would
 * have to reach the cache before it can be read as a whole.
 */
enum { BUSY = 1 };
static const uint64_t IN_HEAP = UINT64_C(1) << 32;
_Static_assert(offsetof(struct ms_thread, in_heap) == offsetof(struct ms_thread, busy) + 4,
	       "at_work()");

static inline uint64_t *at_work(struct ms_thread *t)
{
	return (uint64_t *)&t->busy;
}

/* As here() in heap.c. A child that nobody told us of finds no thread. */
static inline struct ms_thread *here(void)
{
	struct ms_thread *t = ms_plain;

	return t != NULL && t->pointer == ms_thread_pointer() && *at_work(t) == 0 ? t : NULL;
}

/* The same while a call is under way that came from here. */
static inline struct ms_thread *here_again(void)
{
	struct ms_thread *t = ms_plain;

	return t != NULL && *at_work(t) == IN_HEAP ? t : NULL;
}

/* What a handler of the program does meanwhile is not told: see runtime.h. */
static inline void begin(struct ms_thread *t)
{
	*at_work(t) = BUSY;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void end(struct ms_thread *t, uint64_t work)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	*at_work(t) = work;
}

/* Where it lies, as a word has it; more than packed_span: it cannot be told so. */
static inline uint64_t place_of(const struct ms_thread *t, uint64_t block)
{
	uint64_t above = block - t->packed_base;

	return above >> MS_WIRE_PACKED_UNIT | above << (64 - MS_WIRE_PACKED_UNIT);
}

static inline bool fits(const struct ms_thread *t, uint64_t place)
{
	return place < t->packed_span && t->lane.cursor < t->packed_limit;
}

/* Of the block that is to come. */
static inline uint64_t size_of(const struct ms_thread *t)
{
	return t->heap_word >> MS_WIRE_PACKED_SIZE_AT & (MS_WIRE_PACKED_SIZES - 1);
}

/* All of it: where the heap ends farther away by now, that must be told before. */
static inline bool fits_whole(const struct ms_thread *t, uint64_t place)
{
	return place < t->packed_span - (size_of(t) >> MS_WIRE_PACKED_UNIT) &&
	       t->lane.cursor < t->packed_limit;
}

static inline void put(struct ms_thread *t, uint64_t word)
{
	uint64_t *at = (uint64_t *)t->lane.cursor;

	*at = word;
	t->lane.cursor = (uint64_t)(at + 1);
}

/* --- blocks that come --- */

static inline uint64_t differs(const uint64_t *stack, uint64_t word)
{
	return stack[word >> MS_RECENT_VALUE_BITS] ^ word;
}

/* Whether it is the path of a call from there. */
static inline bool is_path(const struct ms_recent *r, uint64_t pc, uint64_t sp)
{
	const uint64_t *stack = ms_recent_stack(sp);
	uint64_t other = 0;

	if (r->pc != pc || r->sp != sp || r->depth == 0)
		return false;
	for (const uint64_t *w = r->words, *last = w + r->depth; w < last; w += MS_RECENT_GROUP)
		other |= differs(stack, w[0]) | differs(stack, w[1]) | differs(stack, w[2]) |
			 differs(stack, w[3]);
	return other << (64 - MS_RECENT_VALUE_BITS) == 0;
}

/* Programs do again what they have done: after a path comes the one that did before, and while the
 * program uses its block, that one's lines can come into the cache. */
static inline void expect_next(struct ms_thread *t, struct ms_recent *r)
{
	struct ms_recent *next = ms_recent_at(t->recent, r->next);

	t->recent_last = r;
	t->recent_next = next;
	__builtin_prefetch(next);
	__builtin_prefetch((const uint8_t *)next + 64);
	__builtin_prefetch((const uint8_t *)next + 128);
}

static inline uint64_t take_by(struct ms_thread *t, struct ms_recent *r, uint64_t size, uint64_t sp)
{
	uint64_t word = MS_WIRE_PACKED_ALLOC | (uint64_t)r->number << MS_WIRE_PACKED_PATH_AT |
			size << MS_WIRE_PACKED_SIZE_AT;

	expect_next(t, r);
	t->heap_word = word;
	/* Where heap.c's frame would be: it looks whether the call was left by a jump. */
	t->heap_frame = sp - sizeof(struct ms_wrap_frame);
	end(t, IN_HEAP);
	return word;
}

/* It was another one, or none. */
static __attribute__((noinline)) uint64_t look(struct ms_thread *t, uint64_t size, uint64_t pc,
					       uint64_t sp)
{
	struct ms_recent *r = ms_recent_candidate(t->recent, pc, sp);

	if (r == NULL || !is_path(r, pc, sp) || r->number >= MS_WIRE_PACKED_PATHS) {
		end(t, 0);
		return 0;
	}
	t->recent_last->next = (uint32_t)((uint8_t *)r - (uint8_t *)t->recent);
	return take_by(t, r, size, sp);
}

static __attribute__((noinline)) uint64_t begin_take(struct ms_thread *t, uint64_t size,
						     uint64_t pc, uint64_t sp)
{
	if (!ms_lane_may_pack(t))
		return 0;
	begin(t);
	return look(t, size, pc, sp);
}

/* 0: heap.c is to be asked. Else the real function is to be called, and then ms_plain_took(). */
static inline uint64_t take(struct ms_thread *t, uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_recent *r = t->recent_next;

	if (size >= MS_WIRE_PACKED_SIZES || r == NULL)
		return 0;
	if (t->packed_limit == 0)
		return begin_take(t, size, pc, sp);
	begin(t);
	if (!is_path(r, pc, sp) || r->number >= MS_WIRE_PACKED_PATHS)
		return look(t, size, pc, sp);
	return take_by(t, r, size, sp);
}

uint64_t ms_plain_take(uint64_t size, uint64_t pc, uint64_t sp);
uint64_t ms_plain_take(uint64_t size, uint64_t pc, uint64_t sp)
{
	struct ms_thread *t = here();

	return t != NULL ? take(t, size, pc, sp) : 0;
}

/* No other thread can be given the block's memory before we tell that it is gone: resize.c need not
 * know. */
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
	begin(t);
	bool packs = ms_lane_pack(t, block, size_of(t));
	if (packs)
		put(t, t->heap_word | place_of(t, block));
	end(t, packs ? 0 : IN_HEAP);
	return packs;
}

/* The first block for some time; or the call was begun here, and heap.c is to end it. */
static __attribute__((noinline)) uint64_t leave(uint64_t block, uint64_t function)
{
	struct ms_thread *t = here_again();
	uint64_t told[MS_WIRE_UNPACKED];

	if (t != NULL && block != 0 && function != MS_WRAP_realloc && began(t, block))
		return block;
	t = ms_self();
	ms_wire_unpack(0, t->heap_word, told);
	t->heap_path = ms_wire_arg_of(told[0]);
	t->heap_size = told[2];
	t->heap_told = true;
	if (function != MS_WRAP_realloc)
		t->heap_block = 0;
	ms_heap_leave(function, block);
	return block;
}

/* Return the block, as wrap.S does then. */
uint64_t ms_plain_took(uint64_t block, uint64_t function);
uint64_t ms_plain_took(uint64_t block, uint64_t function)
{
	struct ms_thread *t = here_again();
	uint64_t place;

	if (t == NULL || block == 0 || (place = place_of(t, block), !fits_whole(t, place)))
		return leave(block, function);
	begin(t);
	put(t, t->heap_word | place);
	end(t, 0);
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
	begin(t);
	if (t->heap_block != 0)
		put(t, old);
	put(t, t->heap_word | place);
	end(t, 0);
	return block;
}

/* --- blocks that go --- */

/* Nothing was told lately, or something else. */
static __attribute__((noinline)) uint64_t begin_free(struct ms_thread *t, uint64_t block)
{
	if (block == 0)
		return 1;
	begin(t);
	bool packs = ms_lane_pack(t, block, 0);
	if (packs)
		put(t, place_of(t, block));
	end(t, 0);
	return packs;
}

/* 0: heap.c is to be asked; else the real function is to be called, and that is all. */
uint64_t ms_plain_free(uint64_t block);
uint64_t ms_plain_free(uint64_t block)
{
	struct ms_thread *t = here();

	if (t == NULL)
		return 0;
	uint64_t place = place_of(t, block);
	if (!fits(t, place))
		return begin_free(t, block);
	begin(t);
	put(t, place);
	end(t, 0);
	return 1;
}
