/*
 * heap.c - calls of malloc and its family, noticed in passing: nothing is replaced or preloaded, so
 * the heap's layout, the loader's work and the program's references stay its own.
 *
 * When an instruction is translated that is the first of such a function (by its symbol), a call of
 * ms_heap_enter() goes in front of it. The function has returned when a return instruction leaves
 * the stack pointer where it was before the call; generated code compares just that, and only in
 * modules that hold an allocator. A call inside a call (realloc uses malloc) is not counted. Which
 * functions these are: entries.c.
 */
#include "tool.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "guest.h"
#include "heap.h"

/* The call that a thread has under way. */
struct pending {
	ULong return_sp; /* 0: none */
	Addr return_pc;
	const struct ms_heap_call *call;
	UWord size;
	Addr block; /* see struct ms_heap_call */
	UInt path;
};

ULong ms_heap_return_sp;

static struct pending *threads; /* by thread id */
static UInt thread_count;
static ThreadId running;

static struct pending *pending_of(ThreadId tid)
{
	if (tid >= thread_count) {
		UInt wanted = tid * 2 + 8;

		threads = VG_(realloc)("memspy.heap.threads", threads, wanted * sizeof(*threads));
		VG_(memset)(threads + thread_count, 0, (wanted - thread_count) * sizeof(*threads));
		thread_count = wanted;
	}
	return &threads[tid];
}

void ms_heap_thread(ThreadId tid)
{
	running = tid;
	ms_heap_return_sp = pending_of(tid)->return_sp;
}

void ms_heap_thread_end(ThreadId tid)
{
	pending_of(tid)->return_sp = 0;
	if (tid == running)
		ms_heap_return_sp = 0;
}

static UWord size_of(const struct ms_heap_call *call, const UWord *args)
{
	if (call->size < 0)
		return call->bytes;
	return call->times < 0 ? args[call->size] : args[call->size] * args[call->times];
}

static void send_free(Addr block)
{
	ULong word = block;

	if (block != 0)
		ms_lane_event(MS_WIRE_FREE, 0, &word, 1, NULL, 0);
}

/* What is done to memory in between, the allocator does, not the program. */
static void send_call(Bool enters)
{
	ms_lane_event(MS_WIRE_HEAP_CALL, enters, NULL, 0, NULL, 0);
}

/* The call that was under way is not any more. */
static void leave(struct pending *p)
{
	if (p->return_sp == 0)
		return;
	p->return_sp = 0;
	ms_heap_return_sp = 0;
	send_call(False);
}

/* operator delete may jump to free: that is one free, not two. */
static Bool is_known(const struct pending *p, ULong return_sp, const struct ms_heap_call *call,
		     Addr block)
{
	return p->return_sp == return_sp && p->call->action == MS_FREES &&
	       call->action == MS_FREES && p->block == block;
}

void ms_heap_enter(const struct ms_heap_call *call, Addr sp, UWord arg0, UWord arg1, UWord arg2,
		   UWord arg3)
{
	struct pending *p = pending_of(running);
	const UWord args[MS_HEAP_ARGS] = { arg0, arg1, arg2, arg3 };
	Addr block = call->block >= 0 ? args[call->block] : 0;
	ULong return_sp = sp + GUEST_CALL_PUSHES;

	if (call->action == MS_LEAVES) {
		leave(p);
		return;
	}
	/* Inside another one, unless that was left by a jump: then the stack has shrunk since. */
	if (p->return_sp != 0 && return_sp < p->return_sp)
		return;
	if (is_known(p, return_sp, call, block))
		return;
	p->call = call;
	p->size = size_of(call, args);
	p->block = block;
	if (call->action == MS_FREES)
		send_free(block);
	else
		p->path = ms_path_here(running, True);
	p->return_sp = return_sp;
	p->return_pc = guest_return_address(running, sp);
	ms_heap_return_sp = p->return_sp;
	send_call(True);
}

static void send_alloc(const struct pending *p, Addr result)
{
	ULong words[2] = { result, p->size };

	if (p->call->action == MS_FILLS)
		words[0] = result == 0 ? *(Addr *)p->block : 0;
	if (p->call->action == MS_RESIZES && (words[0] != 0 || p->size == 0))
		send_free(p->block);
	if (words[0] != 0)
		ms_lane_event(MS_WIRE_ALLOC, p->path, words, 2, NULL, 0);
}

/* A return with the right stack pointer to another place: the call was left by a jump before. */
void ms_heap_return(Addr result, Addr to)
{
	struct pending *p = pending_of(running);

	if (p->return_sp != 0 && p->return_pc == to && p->call->action != MS_FREES)
		send_alloc(p, result);
	leave(p);
}
