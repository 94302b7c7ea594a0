/* address_space.c - what the reader needs to know about the program's address space: modules,
 * mappings, threads. */
#include "address_space.h"

#include "pub_tool_aspacehl.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"

#include "allocator_symbols.h"
#include "call_paths.h"
#include "guest.h"
#include "heap_calls.h"
#include "lane.h"
#include "time_slices.h"

/* --- modules: files whose code is mapped --- */

struct mapped_module {
	Addr text;
	UInt number;
};

static struct mapped_module *modules;
static UInt module_count, module_room, module_numbers;

static UInt text_bytes(const HChar *text)
{
	UInt n = VG_(strlen)(text);

	return n < MS_WIRE_MAX_TEXT ? n : MS_WIRE_MAX_TEXT;
}

/* What Valgrind preloads is not the program's: vgpreload_core and others. */
static Bool is_preloaded(const HChar *path)
{
	const HChar *name = VG_(strrchr)(path, '/');

	return name != NULL && VG_(strncmp)(name, "/vgpreload_", 11) == 0;
}

static void add_module(Addr text, SizeT size)
{
	const NSegment *segment = VG_(am_find_nsegment)(text);
	const HChar *path = segment != NULL ? VG_(am_get_filename)(segment) : NULL;

	if (segment == NULL || segment->kind != SkFileC || path == NULL)
		return;
	struct ms_wire_module wire = { .offset = segment->offset + (text - segment->start),
				       .text = text,
				       .text_size = size,
				       .path_bytes = text_bytes(path),
				       .flags = is_preloaded(path) ? MS_WIRE_MODULE_OF_MEMSPY : 0 };
	if (module_count == module_room) {
		module_room = module_room * 2 + 16;
		modules = VG_(realloc)("memspy.modules", modules, module_room * sizeof(*modules));
	}
	modules[module_count++] = (struct mapped_module){ text, module_numbers };
	ms_vg_lane_write_event(MS_WIRE_MODULE, module_numbers++, &wire, sizeof(wire) / 8, path,
			       wire.path_bytes);
}

static void remove_modules(Addr start, SizeT size)
{
	UInt kept = 0;

	for (UInt i = 0; i < module_count; i++) {
		if (modules[i].text - start >= size)
			modules[kept++] = modules[i];
		else
			ms_vg_lane_write_event(MS_WIRE_MODULE_GONE, modules[i].number, NULL, 0,
					       NULL, 0);
	}
	module_count = kept;
	ms_vg_allocators_forget(start, size);
}

/* --- threads --- */

static ThreadId running;
static struct thread {
	ULong pointer; /* as last sent */
	Bool exits;    /* by itself, or it ends the program */
	Bool ended;    /* sent in the stream */
} * threads;
static UInt thread_room;

static struct thread *thread_of(ThreadId tid)
{
	if (tid >= thread_room) {
		UInt wanted = tid * 2 + 8;

		threads = VG_(realloc)("memspy.threads", threads, wanted * sizeof(*threads));
		VG_(memset)(threads + thread_room, 0, (wanted - thread_room) * sizeof(*threads));
		thread_room = wanted;
	}
	return &threads[tid];
}

/* The program sets the thread pointer at any time: it is checked whenever the tool runs. */
static void check_thread_pointer(ThreadId tid)
{
	ULong now;
	ULong *sent = &thread_of(tid)->pointer;

	VG_(get_shadow_regs_area)(tid, (UChar *)&now, 0, GUEST_TLS, sizeof(now));
	if (now == *sent)
		return;
	*sent = now;
	ms_vg_lane_write_event(MS_WIRE_TLS, tid, &now, 1, NULL, 0);
}

static void thread_first(ThreadId tid)
{
	Addr top = VG_(thread_get_stack_max)(tid);
	ULong words[3] = { top + 1 - VG_(thread_get_stack_size)(tid), top + 1,
			   ms_vg_threads_creator(tid) };

	*thread_of(tid) = (struct thread){ 0 };
	ms_vg_lane_write_event(MS_WIRE_THREAD, tid, words, 3, NULL, 0);
	ms_vg_threads_set_sent(tid);
}

void ms_vg_memory_set_thread_exits(ThreadId tid)
{
	thread_of(tid)->exits = True;
}

Bool ms_vg_memory_thread_exits(ThreadId tid)
{
	return thread_of(tid)->exits;
}

void ms_vg_memory_send_thread_end(ThreadId tid)
{
	struct thread *t = thread_of(tid);
	ULong how = t->exits ? MS_WIRE_END_OWN : MS_WIRE_END_TAKEN;

	if (t->ended)
		return;
	t->ended = True;
	ms_vg_heap_end_thread(tid);
	ms_vg_slice_send_last_clock(tid);
	ms_vg_lane_write_event(MS_WIRE_THREAD_END, tid, &how, 1, NULL, 0);
}

static void thread_exit(ThreadId tid)
{
	ms_vg_memory_send_thread_end(tid);
	ms_vg_threads_end(tid);
}

static void thread_runs(ThreadId tid, ULong blocks)
{
	if (tid == running)
		return;
	running = tid;
	ms_vg_heap_switch_thread(tid);
	ms_vg_lane_switch_thread(tid);
	check_thread_pointer(tid);
}

void ms_vg_memory_check_thread(ThreadId tid)
{
	check_thread_pointer(tid);
}

/* --- mappings --- */

static void send_map(Addr address, SizeT size, UInt kind, UInt path)
{
	const NSegment *segment = VG_(am_find_nsegment)(address);
	const HChar *name = NULL;

	if (segment != NULL && segment->kind == SkFileC) {
		name = VG_(am_get_filename)(segment);
		kind = MS_WIRE_MAP_FILE;
	}
	if (name != NULL && is_preloaded(name)) {
		name = NULL;
		kind = MS_WIRE_MAP_START;
	}
	struct ms_wire_map map = { address, size, kind, name != NULL ? text_bytes(name) : 0 };
	ms_vg_lane_write_event(MS_WIRE_MAP, path, &map, sizeof(map) / 8, name, map.path_bytes);
}

static void map_startup(Addr a, SizeT n, Bool r, Bool w, Bool x, ULong handle)
{
	send_map(a, n, MS_WIRE_MAP_START, MS_WIRE_NO_PATH);
	if (x)
		add_module(a, n);
}

/* Memory that the program mapped itself is named after the call that did. */
static void send_new(Addr a, SizeT n)
{
	ThreadId tid = VG_(get_running_tid)();

	if (ms_vg_heap_return_sp != 0 || tid == VG_INVALID_THREADID)
		send_map(a, n, MS_WIRE_MAP_HEAP, MS_WIRE_NO_PATH);
	else
		send_map(a, n, MS_WIRE_MAP_ANON, ms_vg_path_of_thread(tid, True));
}

static void map_new(Addr a, SizeT n, Bool r, Bool w, Bool x, ULong handle)
{
	remove_modules(a, n);
	ms_vg_slice_mapping_changes(); /* something may have been mapped there */
	send_new(a, n);
	if (x)
		add_module(a, n);
}

static void map_brk(Addr a, SizeT n, ThreadId tid)
{
	send_map(a, n, MS_WIRE_MAP_HEAP, MS_WIRE_NO_PATH);
}

static void map_moved(Addr from, Addr to, SizeT n)
{
	if (from != to)
		send_new(to, n);
}

static void map_gone(Addr a, SizeT n)
{
	ULong words[2] = { a, n };

	remove_modules(a, n);
	ms_vg_lane_write_event(MS_WIRE_UNMAP, 0, words, 2, NULL, 0);
	ms_vg_slice_mapping_changes();
}

static void map_protected(Addr a, SizeT n, Bool r, Bool w, Bool x)
{
	ms_vg_slice_mapping_changes();
}

/*
 * Of a mapping that was made before, only the kernel's information can be sent again: its file, or
 * that it exists.
 */
static void send_mappings(void)
{
	Int n;
	Addr *starts = VG_(get_segment_starts)(SkFileC | SkAnonC | SkShmC, &n);

	for (Int i = 0; i < n; i++) {
		const NSegment *s = VG_(am_find_nsegment)(starts[i]);
		SizeT size = s->end + 1 - s->start;

		send_map(s->start, size, MS_WIRE_MAP_START, MS_WIRE_NO_PATH);
		if (s->hasX)
			add_module(s->start, size);
	}
	VG_(free)(starts);
}

void ms_vg_memory_restart(ThreadId tid)
{
	module_count = 0;
	module_numbers = 0;
	send_mappings();
	running = tid;
	ms_vg_heap_switch_thread(tid);
	thread_first(tid);
	ms_vg_lane_switch_thread(tid);
	check_thread_pointer(tid);
}

void ms_vg_memory_start(void)
{
	VG_(track_new_mem_startup)(map_startup);
	VG_(track_new_mem_mmap)(map_new);
	VG_(track_new_mem_brk)(map_brk);
	VG_(track_copy_mem_remap)(map_moved);
	VG_(track_die_mem_munmap)(map_gone);
	VG_(track_die_mem_brk)(map_gone);
	VG_(track_change_mem_mprotect)(map_protected);
	VG_(track_pre_thread_ll_create)(ms_vg_threads_create);
	VG_(track_pre_thread_first_insn)(thread_first);
	VG_(track_pre_thread_ll_exit)(thread_exit);
	VG_(track_start_client_code)(thread_runs);
}

/* --- the first thread's stack --- */

/* Valgrind's own; its headers for tools do not declare them. */
extern Bool VG_(extend_stack)(ThreadId tid, Addr addr);
extern Addr VG_(clstk_end);

/* Valgrind reserves memory below a stack for as much as it may grow. */
void ms_vg_memory_map_stack(void)
{
	Addr lowest = VG_(clstk_end) - GUEST_STACK_MAPPED;
	const NSegment *segment = VG_(am_find_nsegment)(lowest);

	if (GUEST_STACK_MAPPED > 0 && segment != NULL && segment->kind == SkResvn)
		VG_(extend_stack)(1, lowest);
}
