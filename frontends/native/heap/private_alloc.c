/*
 * private_alloc.c - allocators that the wrappers (interpose.S) do not interpose: those that a
 * program has linked statically, those of other names, and those that the user named. Functions
 * with large variables on the stack (stack_variables.c) are noticed in the same way.
 *
 * The tracer calls C at their first instruction, and at the addresses that they return to:
 * generated code never branches there directly, C runs this file's code and then continues. So they
 * are seen while the program is traced, and only then. private_alloc_names.c selects the functions.
 *
 * Nested calls are treated as in the Valgrind front-end. An allocator that calls another one is one
 * call. But a private one (--malloc) takes its memory from another, and that call is recorded too.
 */
#include "allocators.h"
#include "heap/heap.h"
#include "heap/kept_stack_name.h"
#include "heap/private_call.h"
#include "heap/stack_frame.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

/* --- pcs at which the tracer stops: an open-addressing table by pc, which only grows --- */

enum { WATCHED_ENTRIES = 1 << 15 };
enum { FOR_ALLOCATORS = 1, FOR_FRAMES = 2 }; /* purposes: frames matter in recorded code only */
static struct watched_pc {
	uint64_t pc;
	const struct ms_allocator_function *call;   /* NULL: a call returns here */
	const struct ms_wire_stack_function *frame; /* has large variables; NULL: none */
	bool is_gone;
	uint8_t purposes;
	uint32_t unused; /* times in a row that nothing began or ended here */
} * watched_pcs;
static uint32_t watched_count;
/* One bit for each entry at which a search begins: the translator looks up each pc, and hardly any
 * is in the table. */
static uint8_t probe_filter[WATCHED_ENTRIES / 8];

static uint64_t hash_pc(uint64_t pc)
{
	return pc * UINT64_C(0x9e3779b97f4a7c15) >> 49;
}

static struct watched_pc *find_watched(uint64_t pc)
{
	uint64_t i = hash_pc(pc);

	while (watched_pcs[i].pc != 0 && watched_pcs[i].pc != pc)
		i = (i + 1) % WATCHED_ENTRIES;
	return &watched_pcs[i];
}

bool ms_heap_is_watched(uint64_t pc, bool recorded)
{
	uint64_t first = hash_pc(pc);

	if ((probe_filter[first / 8] >> first % 8 & 1) == 0)
		return false;
	const struct watched_pc *p = find_watched(pc);

	return p->pc == pc && !p->is_gone && (recorded || (p->purposes & FOR_ALLOCATORS) != 0);
}

static void set_watched(struct watched_pc *p, const struct watched_pc *wanted)
{
	if (p->pc != wanted->pc || p->is_gone) {
		p->call = wanted->call;
		p->frame = wanted->frame;
		p->is_gone = false;
		p->purposes = 0;
		p->unused = 0;
	}
	p->purposes |= wanted->purposes;
	watched_count += p->pc == 0;
	probe_filter[hash_pc(wanted->pc) / 8] |= (uint8_t)(1 << hash_pc(wanted->pc) % 8);
	__atomic_store_n(&p->pc, wanted->pc, __ATOMIC_RELEASE);
}

/* Generated code for this pc may exist already. */
static void watch_pc(struct watched_pc wanted)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_PRIVATE_ALLOC);
	if (watched_pcs == NULL)
		watched_pcs = ms_runtime_map_pages(WATCHED_ENTRIES * sizeof(*watched_pcs));
	if (watched_pcs != NULL && watched_count < WATCHED_ENTRIES / 2) {
		struct watched_pc *p = find_watched(wanted.pc);

		if (p->pc != wanted.pc || p->is_gone || (wanted.purposes & ~p->purposes) != 0) {
			set_watched(p, &wanted);
			if (wanted.call == NULL && wanted.frame == NULL)
				ms_native_hooks.pc_watched(wanted.pc);
		}
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_PRIVATE_ALLOC);
}

void ms_heap_watch_function(uint64_t pc, const struct ms_allocator_function *call)
{
	watch_pc((struct watched_pc){ .pc = pc, .call = call, .purposes = FOR_ALLOCATORS });
}

void ms_heap_watch_frame(uint64_t pc, const struct ms_wire_stack_function *function)
{
	watch_pc((struct watched_pc){ .pc = pc, .frame = function, .purposes = FOR_FRAMES });
}

void ms_heap_unwatch_range(uint64_t start, uint64_t size)
{
	for (uint32_t i = 0; watched_pcs != NULL && i < WATCHED_ENTRIES; i++)
		if (watched_pcs[i].pc - start < size)
			watched_pcs[i].is_gone = true;
}

void ms_heap_watch_return(uint64_t pc)
{
	watch_pc((struct watched_pc){ .pc = pc, .purposes = FOR_FRAMES });
}

/* --- calls in progress --- */

static struct ms_heap_private_call *innermost(struct ms_runtime_thread *t)
{
	return t->private_depth > 0 ? &ms_heap_get_private_calls(t)[t->private_depth - 1] : NULL;
}

static void record_allocator_call(struct ms_runtime_thread *t, bool enters)
{
	ms_runtime_write_event(t, MS_WIRE_HEAP_CALL, enters, NULL, 0, NULL, 0);
}

/* The innermost call has ended. */
static void end_innermost(struct ms_runtime_thread *t)
{
	ms_heap_cancel_realloc(innermost(t)->resize);
	if (--t->private_depth == 0)
		record_allocator_call(t, false);
}

/* Drops calls that were left by a jump: the stack has shrunk since. */
static void drop_left_by_jump(struct ms_runtime_thread *t, uint64_t return_sp)
{
	while (t->private_depth > 0 && innermost(t)->return_sp < return_sp &&
	       return_sp <= t->stack_end && innermost(t)->return_sp >= t->stack)
		end_innermost(t);
}

bool ms_heap_is_inside_private_call(struct ms_runtime_thread *t, uint64_t sp)
{
	if (t->private_depth == 0)
		return false;
	drop_left_by_jump(t, sp);
	/* A private one that has jumped there is one call with it. */
	return t->private_depth > 0 && (!innermost(t)->call->own || innermost(t)->return_sp == sp);
}

static void record_free(struct ms_runtime_thread *t, uint32_t kind, uint64_t block)
{
	if (block == 0)
		return;
	ms_heap_remove_live_block(block);
	ms_runtime_write_event(t, kind, 0, &block, 1, NULL, 0);
}

static void record_common_free(struct ms_runtime_thread *t, uint64_t block)
{
	record_free(t, MS_WIRE_FREE, block);
}

static void record_inner_free(struct ms_runtime_thread *t, uint64_t block)
{
	record_free(t, MS_WIRE_INNER_FREE, block);
}

static ms_heap_free_reporter *get_free_reporter(const struct ms_allocator_function *call)
{
	return call->own ? record_inner_free : record_common_free;
}

static void record_alloc(struct ms_runtime_thread *t, struct ms_heap_private_call *c,
			 uint64_t result)
{
	uint64_t words[2] = { result, c->size };
	uint32_t kind = c->call->own ? MS_WIRE_INNER_ALLOC : MS_WIRE_ALLOC;

	if (c->call->action == MS_ALLOCATOR_FILLS)
		words[0] = result == 0 ? *(const uint64_t *)c->block : 0;
	if (c->call->action == MS_ALLOCATOR_RESIZES && (words[0] != 0 || c->size == 0)) {
		ms_heap_finish_realloc(t, c->resize, c->block, get_free_reporter(c->call));
		c->resize = 0;
	}
	if (words[0] == 0 || c->path == MS_WIRE_NO_PATH)
		return;
	ms_heap_report_overtaken_free(t, words[0]);
	ms_heap_add_live_block(kind, c->path, words[0], words[1]);
	ms_runtime_write_event(t, kind, c->path, words, 2, NULL, 0);
}

/* operator delete may jump to free: that is one free, not two. */
static bool is_same_free(const struct ms_heap_private_call *c,
			 const struct ms_allocator_function *call, uint64_t block)
{
	return c->call->action == MS_ALLOCATOR_FREES && call->action == MS_ALLOCATOR_FREES &&
	       c->block == block;
}

/* Whether the call must be recorded. */
static bool is_new_call(struct ms_runtime_thread *t, const struct ms_allocator_function *call,
			uint64_t return_sp, uint64_t block)
{
	if (t->in_heap)
		return false;
	drop_left_by_jump(t, return_sp);
	const struct ms_heap_private_call *c = innermost(t);
	if (c == NULL)
		return true;
	if (c->call->own && !call->own)
		return c->return_sp != return_sp; /* otherwise it has jumped here: one call */
	/* Inside another call; or instead of it, if that has jumped here. */
	if (c->return_sp != return_sp || is_same_free(c, call, block))
		return false;
	end_innermost(t);
	return true;
}

static uint64_t size_of(const struct ms_allocator_function *call, const uint64_t *args)
{
	if (call->size < 0)
		return call->bytes;
	return call->times < 0 ? args[call->size] : args[call->size] * args[call->times];
}

/* from: its caller, as it will be after the return. */
static void begin_call(struct ms_runtime_thread *t, const struct ms_allocator_function *call,
		       const uint64_t *args, const struct ms_unwind_frame *from)
{
	struct ms_heap_private_call c = { .return_sp = from->sp,
					  .return_pc = from->pc,
					  .block = call->block >= 0 ? args[call->block] : 0,
					  .call = call };

	if (call->action == MS_ALLOCATOR_LEAVES) {
		while (t->private_depth > 0)
			end_innermost(t);
		return;
	}
	if (call->action == MS_ALLOCATOR_STARTS || !is_new_call(t, call, c.return_sp, c.block))
		return;
	if (call->own)
		ms_heap_note_private_call(call);
	c.size = size_of(call, args);
	if (call->action == MS_ALLOCATOR_FREES)
		get_free_reporter(call)(t, c.block);
	else
		c.path = ms_unwind_get_path(t, from, true);
	if (call->action == MS_ALLOCATOR_RESIZES)
		c.resize = ms_heap_begin_realloc(c.block, get_free_reporter(call));
	if (t->private_depth == 0)
		record_allocator_call(t, true);
	ms_heap_get_private_calls(t)[t->private_depth++] = c;
	watch_pc((struct watched_pc){ .pc = c.return_pc, .purposes = FOR_ALLOCATORS });
}

/* The same pc with another stack pointer is another call's return. False: no call has returned. */
static bool end_returned_calls(struct ms_runtime_thread *t, uint64_t pc, uint64_t sp,
			       uint64_t result)
{
	struct ms_heap_private_call *c = innermost(t);
	bool ended = false;

	while (c != NULL && c->return_pc == pc && c->return_sp == sp) {
		if (c->call->action != MS_ALLOCATOR_FREES)
			record_alloc(t, c, result);
		end_innermost(t);
		c = innermost(t);
		ended = true;
	}
	return ended;
}

/* Calls that are too frequent to be named are not noticed any longer: that, too, takes time. */
static void count_use(struct ms_runtime_thread *t, struct watched_pc *p, bool used)
{
	enum { MOST_UNUSED = 4096 };

	p->unused = used ? 0 : p->unused + 1;
	if (p->unused <= MOST_UNUSED || p->is_gone)
		return;
	p->is_gone = true;
	ms_native_hooks.pc_unwatched(p->pc);
	ms_heap_learn_kept_name(t);
}

/* False: nothing was named. */
static bool begin_frame(struct ms_runtime_thread *t, struct watched_pc *p,
			const struct ms_unwind_frame *from)
{
	if (ms_heap_begin_stack_frame(t, p->frame, from->sp)) {
		ms_heap_watch_return(from->pc);
		return true;
	}
	if (ms_heap_is_frame_too_frequent(t, p->frame)) {
		ms_heap_keep_stack_name(t, p->frame, from->sp);
		p->is_gone = true;
	}
	return false;
}

void ms_heap_handle_watched_pc(struct ms_runtime_thread *t, uint64_t pc, uint64_t sp,
			       const uint64_t *args, uint64_t result,
			       const struct ms_unwind_frame *from, bool recorded)
{
	struct watched_pc *p = find_watched(pc);

	if (t->busy || t->ended)
		return;
	t->busy = 1;
	bool used = end_returned_calls(t, pc, sp, result);
	used = (recorded && ms_heap_end_stack_frames(t, sp)) || used;
	if (p->pc == pc && p->frame != NULL && recorded)
		used = begin_frame(t, p, from) || used;
	if (p->pc == pc && p->call != NULL)
		begin_call(t, p->call, args, from);
	else if (p->pc == pc)
		count_use(t, p, used);
	t->busy = 0;
}
