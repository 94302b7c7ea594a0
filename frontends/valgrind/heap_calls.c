/*
 * heap_calls.c - observes calls of malloc and its family. Nothing is replaced or preloaded, so the
 * heap's layout, the loader's work and the program's references stay unchanged.
 *
 * When the first instruction of such a function (by its symbol) is translated, a call of
 * ms_vg_heap_enter() is inserted before it. The function has returned when a return instruction
 * leaves the stack pointer where it was before the call. Generated code compares just that, and
 * only in modules that contain an allocator. A call inside a call (realloc uses malloc) is not
 * counted. allocator_symbols.c finds these functions.
 */
#include "heap_calls.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "allocator_symbols.h"
#include "call_paths.h"
#include "forked_child.h"
#include "guest.h"
#include "lane.h"
#include "time_slices.h"

/* A call in progress in a thread. */
struct pending {
	ULong return_sp;
	Addr return_pc;
	const struct ms_allocator_function *call;
	UWord size;
	Addr block; /* see struct ms_allocator_function */
	UInt path;
};

/*
 * A private allocator's call, and inside it one of the common ones, from which it gets its memory.
 */
enum { DEEPEST = 2 };

struct calls {
	struct pending at[DEEPEST];
	UInt n;
};

ULong ms_vg_heap_return_sp; /* of the innermost; 0: none */
static UInt resizing;       /* calls of realloc, of all threads */

static struct calls *threads; /* by thread id */
static UInt thread_count;
static ThreadId running;

static struct calls *calls_of(ThreadId tid)
{
	if (tid >= thread_count) {
		UInt wanted = tid * 2 + 8;

		threads = VG_(realloc)("memspy.heap.threads", threads, wanted * sizeof(*threads));
		VG_(memset)(threads + thread_count, 0, (wanted - thread_count) * sizeof(*threads));
		thread_count = wanted;
	}
	return &threads[tid];
}

static struct pending *innermost(struct calls *calls)
{
	return calls->n > 0 ? &calls->at[calls->n - 1] : NULL;
}

/* The calls from number n on have ended. */
static void forget_from(struct calls *calls, UInt n)
{
	for (; calls->n > n; calls->n--)
		resizing -= innermost(calls)->call->action == MS_ALLOCATOR_RESIZES;
}

static void set_return(const struct calls *calls)
{
	ms_vg_heap_return_sp = calls->n > 0 ? calls->at[calls->n - 1].return_sp : 0;
}

void ms_vg_heap_switch_thread(ThreadId tid)
{
	struct calls *calls = calls_of(tid);

	running = tid;
	set_return(calls);
}

void ms_vg_heap_end_thread(ThreadId tid)
{
	forget_from(calls_of(tid), 0);
	if (tid == running)
		ms_vg_heap_return_sp = 0;
}

/* A thread that forks inside an allocator is assumed to have left it. */
void ms_vg_heap_restart(void)
{
	for (UInt i = 0; i < thread_count; i++)
		forget_from(&threads[i], 0);
	ms_vg_heap_return_sp = 0;
}

static UWord size_of(const struct ms_allocator_function *call, const UWord *args)
{
	if (call->size < 0)
		return call->bytes;
	return call->times < 0 ? args[call->size] : args[call->size] * args[call->times];
}

static void send_free(const struct ms_allocator_function *call, Addr block)
{
	ULong word = block;

	if (block == 0)
		return;
	ms_vg_child_note_free(block);
	ms_vg_lane_write_event(call->own ? MS_WIRE_INNER_FREE : MS_WIRE_FREE, 0, &word, 1, NULL, 0);
}

/* References in between are the allocator's, not the program's. */
static void send_call(Bool enters)
{
	ms_vg_lane_write_own_event(MS_WIRE_HEAP_CALL, enters, NULL, 0);
}

/*
 * Whether realloc has moved a block is known only when it has returned. Another thread may have got
 * the block's memory by then: so the release is recorded first.
 */
static void send_pending_free(Addr block)
{
	for (UInt i = 0; resizing > 0 && i < thread_count; i++)
		for (UInt k = 0; k < threads[i].n; k++) {
			struct pending *p = &threads[i].at[k];

			if (p->call->action != MS_ALLOCATOR_RESIZES || p->block != block)
				continue;
			send_free(p->call, block);
			p->block = 0;
		}
}

static void send_alloc(struct pending *p, Addr result)
{
	ULong words[2] = { result, p->size };
	UInt kind = p->call->own ? MS_WIRE_INNER_ALLOC : MS_WIRE_ALLOC;

	if (p->call->action == MS_ALLOCATOR_FILLS)
		words[0] = result == 0 ? *(Addr *)p->block : 0;
	if (p->call->action == MS_ALLOCATOR_RESIZES && (words[0] != 0 || p->size == 0))
		send_free(p->call, p->block);
	p->block = 0;
	if (words[0] == 0)
		return;
	send_pending_free(words[0]);
	ms_vg_lane_write_event(kind, p->path, words, 2, NULL, 0);
	ms_vg_child_note_alloc(kind, p->path, words[0], words[1]);
}

static void leave(struct calls *calls, UInt n)
{
	if (calls->n > 0 && n == 0)
		send_call(False);
	forget_from(calls, n);
	set_return(calls);
}

/* operator delete may jump to free: that is one free, not two. */
static Bool is_same_free(const struct pending *p, const struct ms_allocator_function *call,
			 Addr block)
{
	return p->call->action == MS_ALLOCATOR_FREES && call->action == MS_ALLOCATOR_FREES &&
	       p->block == block;
}

/* Whether the call must be recorded; calls that have ended unnoticed are forgotten. */
static Bool is_new(struct calls *calls, const struct ms_allocator_function *call, ULong return_sp,
		   Addr block)
{
	struct pending *p;

	/* Left by a jump: the stack has shrunk since. */
	while (calls->n > 0 && innermost(calls)->return_sp < return_sp)
		leave(calls, calls->n - 1);
	p = innermost(calls);
	if (p == NULL)
		return True;
	if (p->call->own && !call->own)
		return p->return_sp != return_sp; /* otherwise it has jumped here: one call */
	/* Inside another call; or instead of it, if that has jumped here. */
	if (p->return_sp != return_sp || is_same_free(p, call, block))
		return False;
	leave(calls, calls->n - 1);
	return True;
}

void ms_vg_heap_enter(const struct ms_allocator_function *call, Addr sp, UWord arg0, UWord arg1,
		      UWord arg2, UWord arg3)
{
	struct calls *calls = calls_of(running);
	const UWord args[MS_ALLOCATOR_ARGS] = { arg0, arg1, arg2, arg3 };
	struct pending p = { .call = call,
			     .return_sp = sp + GUEST_CALL_PUSHES,
			     .block = call->block >= 0 ? args[call->block] : 0 };

	if (call->action == MS_ALLOCATOR_LEAVES) {
		leave(calls, 0);
		return;
	}
	if (call->action == MS_ALLOCATOR_STARTS) {
		ms_vg_threads_set_next_start(running, p.block);
		return;
	}
	if (!is_new(calls, call, p.return_sp, p.block))
		return;
	if (call->own)
		ms_vg_allocators_note_private_call(call);
	p.size = size_of(call, args);
	p.return_pc = guest_return_address(running, sp);
	if (call->action != MS_ALLOCATOR_FREES)
		p.path = ms_vg_path_of_thread(running, True);
	else if (!ms_vg_allocators_contain(p.return_pc))
		send_free(call, p.block);
	if (calls->n == 0)
		send_call(True);
	calls->at[calls->n++] = p;
	resizing += call->action == MS_ALLOCATOR_RESIZES;
	set_return(calls);
}

/* A return with the same stack pointer to another pc: the call was left by a jump before. */
void ms_vg_heap_return(Addr result, Addr to)
{
	struct calls *calls = calls_of(running);
	struct pending *p = innermost(calls);

	if (p == NULL)
		return;
	if (p->return_pc == to && p->call->action != MS_ALLOCATOR_FREES)
		send_alloc(p, result);
	leave(calls, calls->n - 1);
}
