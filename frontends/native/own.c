/*
 * own.c - allocators that the wrappers (wrap.S) do not interpose: those that a program has linked
 * statically, those of other names, and those that the user named.
 *
 * The tracer calls C at their first instruction, and at the addresses that they return to:
 * generated code never branches there directly, C runs this file's code and then continues. So they
 * are seen while the program is traced, and only then. own_names.c selects the functions.
 *
 * Nested calls are treated as in the Valgrind front-end. An allocator that calls another one is one
 * call. But a private one (--malloc) takes its memory from another, and that call is recorded too.
 */
#include "allocators.h"
#include "heap/heap.h"
#include "heap/private_call.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "syscalls/syscalls.h"
#include "tracer.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

/* --- pcs at which the tracer stops: an open-addressing table by pc, which only grows --- */

enum { PLACES = 1 << 15 };
static struct place {
	uint64_t pc;
	const struct ms_heap_call *call; /* NULL: a call returns here */
	bool gone;
} * places;
static uint32_t place_count;
/* One bit for each entry at which a search begins: the translator looks up each pc, and hardly any
 * is in the table. */
static uint8_t begun[PLACES / 8];

static uint64_t first_of(uint64_t pc)
{
	return pc * UINT64_C(0x9e3779b97f4a7c15) >> 49;
}

static struct place *find(uint64_t pc)
{
	uint64_t i = first_of(pc);

	while (places[i].pc != 0 && places[i].pc != pc)
		i = (i + 1) % PLACES;
	return &places[i];
}

bool ms_own_watches(uint64_t pc)
{
	uint64_t first = first_of(pc);

	if ((begun[first / 8] >> first % 8 & 1) == 0)
		return false;
	const struct place *p = find(pc);

	return p->pc == pc && !p->gone;
}

/* Generated code for this pc may exist already. */
static void watch(uint64_t pc, const struct ms_heap_call *call)
{
	ms_lock(MS_LOCK_OWN);
	if (places == NULL)
		places = ms_pages(PLACES * sizeof(*places));
	if (places != NULL && place_count < PLACES / 2) {
		struct place *p = find(pc);
		bool is_new = p->pc != pc || p->gone;

		if (is_new) {
			p->call = call;
			p->gone = false;
			place_count += p->pc == 0;
			begun[first_of(pc) / 8] |= (uint8_t)(1 << first_of(pc) % 8);
			__atomic_store_n(&p->pc, pc, __ATOMIC_RELEASE);
			if (call == NULL)
				ms_tracer_watch(pc);
		}
	}
	ms_unlock(MS_LOCK_OWN);
}

void ms_own_add(uint64_t pc, const struct ms_heap_call *call)
{
	watch(pc, call);
}

void ms_own_gone(uint64_t start, uint64_t size)
{
	for (uint32_t i = 0; places != NULL && i < PLACES; i++)
		if (places[i].pc - start < size)
			places[i].gone = true;
}

/* --- calls in progress --- */

static struct ms_own_call *innermost(struct ms_thread *t)
{
	return t->own_count > 0 ? &t->own[t->own_count - 1] : NULL;
}

static void send_call(struct ms_thread *t, bool enters)
{
	ms_lane_event(t, MS_WIRE_HEAP_CALL, enters, NULL, 0, NULL, 0);
}

/* The innermost call has ended. */
static void leave(struct ms_thread *t)
{
	ms_resize_stays(innermost(t)->resize);
	if (--t->own_count == 0)
		send_call(t, false);
}

/* Drops calls that were left by a jump: the stack has shrunk since. */
static void drop_left(struct ms_thread *t, uint64_t return_sp)
{
	while (t->own_count > 0 && innermost(t)->return_sp < return_sp &&
	       return_sp <= t->stack_end && innermost(t)->return_sp >= t->stack)
		leave(t);
}

bool ms_own_inside(struct ms_thread *t, uint64_t sp)
{
	if (t->own_count == 0)
		return false;
	drop_left(t, sp);
	/* A private one that has jumped there is one call with it. */
	return t->own_count > 0 && (!innermost(t)->call->own || innermost(t)->return_sp == sp);
}

static void send_freed(struct ms_thread *t, uint32_t kind, uint64_t block)
{
	if (block == 0)
		return;
	ms_follow_free(block);
	ms_lane_event(t, kind, 0, &block, 1, NULL, 0);
}

static void send_common_free(struct ms_thread *t, uint64_t block)
{
	send_freed(t, MS_WIRE_FREE, block);
}

static void send_inner_free(struct ms_thread *t, uint64_t block)
{
	send_freed(t, MS_WIRE_INNER_FREE, block);
}

static ms_resize_teller *teller_of(const struct ms_heap_call *call)
{
	return call->own ? send_inner_free : send_common_free;
}

static void send_alloc(struct ms_thread *t, struct ms_own_call *c, uint64_t result)
{
	uint64_t words[2] = { result, c->size };
	uint32_t kind = c->call->own ? MS_WIRE_INNER_ALLOC : MS_WIRE_ALLOC;

	if (c->call->action == MS_FILLS)
		words[0] = result == 0 ? *(const uint64_t *)c->block : 0;
	if (c->call->action == MS_RESIZES && (words[0] != 0 || c->size == 0)) {
		ms_resize_gone(t, c->resize, c->block, teller_of(c->call));
		c->resize = 0;
	}
	if (words[0] == 0 || c->path == MS_WIRE_NO_PATH)
		return;
	ms_resize_overtake(t, words[0]);
	ms_follow_alloc(kind, c->path, words[0], words[1]);
	ms_lane_event(t, kind, c->path, words, 2, NULL, 0);
}

/* operator delete may jump to free: that is one free, not two. */
static bool is_same_free(const struct ms_own_call *c, const struct ms_heap_call *call,
			 uint64_t block)
{
	return c->call->action == MS_FREES && call->action == MS_FREES && c->block == block;
}

/* Whether the call must be recorded. */
static bool is_new(struct ms_thread *t, const struct ms_heap_call *call, uint64_t return_sp,
		   uint64_t block)
{
	if (t->in_heap)
		return false;
	drop_left(t, return_sp);
	const struct ms_own_call *c = innermost(t);
	if (c == NULL)
		return true;
	if (c->call->own && !call->own)
		return c->return_sp != return_sp; /* otherwise it has jumped here: one call */
	/* Inside another call; or instead of it, if that has jumped here. */
	if (c->return_sp != return_sp || is_same_free(c, call, block))
		return false;
	leave(t);
	return true;
}

static uint64_t size_of(const struct ms_heap_call *call, const uint64_t *args)
{
	if (call->size < 0)
		return call->bytes;
	return call->times < 0 ? args[call->size] : args[call->size] * args[call->times];
}

/* from: its caller, as it will be after the return. */
static void enter(struct ms_thread *t, const struct ms_heap_call *call, const uint64_t *args,
		  const struct ms_frame *from)
{
	struct ms_own_call c = { .return_sp = from->sp,
				 .return_pc = from->pc,
				 .block = call->block >= 0 ? args[call->block] : 0,
				 .call = call };

	if (call->action == MS_LEAVES) {
		while (t->own_count > 0)
			leave(t);
		return;
	}
	if (call->action == MS_STARTS || !is_new(t, call, c.return_sp, c.block))
		return;
	c.size = size_of(call, args);
	if (call->action == MS_FREES)
		teller_of(call)(t, c.block);
	else
		c.path = ms_path_here(t, from, true);
	if (call->action == MS_RESIZES)
		c.resize = ms_resize_begin(c.block, teller_of(call));
	if (t->own_count == 0)
		send_call(t, true);
	t->own[t->own_count++] = c;
	watch(c.return_pc, NULL);
}

/* The same pc with another stack pointer is another call's return. */
static void returned(struct ms_thread *t, uint64_t pc, uint64_t sp, uint64_t result)
{
	struct ms_own_call *c = innermost(t);

	while (c != NULL && c->return_pc == pc && c->return_sp == sp) {
		if (c->call->action != MS_FREES)
			send_alloc(t, c, result);
		leave(t);
		c = innermost(t);
	}
}

void ms_own_pass(struct ms_thread *t, uint64_t pc, uint64_t sp, const uint64_t *args,
		 uint64_t result, const struct ms_frame *from)
{
	const struct place *p = find(pc);

	if (t->busy || t->ended)
		return;
	t->busy = 1;
	returned(t, pc, sp, result);
	if (p->pc == pc && p->call != NULL)
		enter(t, p->call, args, from);
	t->busy = 0;
}
