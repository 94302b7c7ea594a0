/*
 * heap.c - calls of malloc and its family, noticed in passing: nothing is replaced or preloaded, so
 * the heap's layout, the loader's work and the program's references stay its own.
 *
 * When an instruction is translated that is the first of such a function (by its symbol), a call of
 * ms_heap_enter() goes in front of it. The function has returned when a return instruction leaves
 * the stack pointer where it was before the call; generated code compares just that, and only in
 * modules that may hold an allocator. A call inside a call (realloc uses malloc) is not counted.
 */
#include "tool.h"

#include "pub_tool_debuginfo.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"

#include "guest.h"

enum action { TAKES, FREES, RESIZES, FILLS };

/* Which argument is the size; -1: none. Two of them are multiplied. */
struct ms_heap_call {
	const HChar *name;
	enum action action;
	Int size, times;
};

static const struct ms_heap_call family[] = {
	{ "malloc", TAKES, 0, -1 },         { "calloc", TAKES, 0, 1 },
	{ "realloc", RESIZES, 1, -1 },      { "reallocarray", RESIZES, 1, 2 },
	{ "free", FREES, -1, -1 },          { "cfree", FREES, -1, -1 },
	{ "free_sized", FREES, -1, -1 },    { "free_aligned_sized", FREES, -1, -1 },
	{ "memalign", TAKES, 1, -1 },       { "aligned_alloc", TAKES, 1, -1 },
	{ "posix_memalign", FILLS, 2, -1 }, { "valloc", TAKES, 0, -1 },
	{ "pvalloc", TAKES, 0, -1 },
};

/* The call that a thread has under way. */
struct pending {
	ULong return_sp; /* 0: none */
	const struct ms_heap_call *call;
	UWord size;
	Addr old;   /* RESIZES: the block that it was given */
	Addr fills; /* FILLS: where the pointer will be written */
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

const struct ms_heap_call *ms_heap_call_at(Addr pc)
{
	const HChar *name;

	if (!VG_(get_fnname_if_entry)(VG_(current_DiEpoch)(), pc, &name))
		return NULL;
	for (UInt i = 0; i < sizeof(family) / sizeof(family[0]); i++)
		if (VG_(strcmp)(name, family[i].name) == 0)
			return &family[i];
	return NULL;
}

/*
 * The C library, a replacement of its allocator, or the program itself (statically linked, or with
 * an allocator of its own).
 */
Bool ms_heap_returns_at(Addr pc)
{
	DebugInfo *module = VG_(find_DebugInfo)(VG_(current_DiEpoch)(), pc);
	const HChar *soname;

	if (module == NULL)
		return False;
	soname = VG_(DebugInfo_get_soname)(module);
	return soname == NULL || VG_(strstr)(soname, "libc.") != NULL ||
	       VG_(strstr)(soname, "alloc") != NULL || VG_(strcmp)(soname, "NONE") == 0;
}

static UWord size_of(const struct ms_heap_call *call, const UWord args[3])
{
	if (call->size < 0)
		return 0;
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

void ms_heap_enter(const struct ms_heap_call *call, Addr sp, UWord arg0, UWord arg1, UWord arg2)
{
	struct pending *p = pending_of(running);
	const UWord args[3] = { arg0, arg1, arg2 };

	/* Inside another one, unless that was left by a jump: then the stack has shrunk since. */
	if (p->return_sp != 0 && sp + GUEST_CALL_PUSHES < p->return_sp)
		return;
	p->call = call;
	p->size = size_of(call, args);
	p->old = call->action == RESIZES ? arg0 : 0;
	p->fills = call->action == FILLS ? arg0 : 0;
	if (call->action == FREES)
		send_free(arg0);
	else
		p->path = ms_path_here(running, True);
	p->return_sp = sp + GUEST_CALL_PUSHES;
	ms_heap_return_sp = p->return_sp;
	send_call(True);
}

static void send_alloc(const struct pending *p, Addr result)
{
	ULong words[2] = { result, p->size };

	if (p->call->action == FILLS)
		words[0] = result == 0 ? *(Addr *)p->fills : 0;
	if (p->old != 0 && (words[0] != 0 || p->size == 0))
		send_free(p->old);
	if (words[0] != 0)
		ms_lane_event(MS_WIRE_ALLOC, p->path, words, 2, NULL, 0);
}

void ms_heap_return(Addr result)
{
	struct pending *p = pending_of(running);

	ms_heap_return_sp = 0;
	if (p->return_sp == 0)
		return;
	p->return_sp = 0;
	if (p->call->action != FREES)
		send_alloc(p, result);
	send_call(False);
}
