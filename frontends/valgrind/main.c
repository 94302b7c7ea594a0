/*
 * main.c - the Valgrind tool "memspy": options, start, end. `memspy run` starts it, not the user.
 *
 * Records:    lane.c (the writer's end of the stream), windows.c (selects what is sent, where the
 *             program is sampled)
 * Code:       instrument.c (adds code to a superblock that records its references),
 *             block_description.c
 * Program:    address_space.c (modules, mappings, threads), heap_calls.c, allocator_symbols.c,
 *             call_paths.c, client_requests.c, syscalls.c, forked_child.c
 * Scheduling: only where several processors are simulated. thread_lifetimes.c, time_slices.c,
 *             scheduler_lock.c (Valgrind's big lock), quiesce.c, processor_assignment.c,
 *             host_affinity.c, track_merge.c (merges records in the order of virtual time),
 *             contended_lines.c, spin_detection.c, yield_loops.c
 *
 * No libc is available, only Valgrind's tool library. One thread runs at a time, so nothing needs a
 * lock.
 */
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "address_space.h"
#include "allocator_symbols.h"
#include "client_requests.h"
#include "contended_lines.h"
#include "forked_child.h"
#include "instrument.h"
#include "lane.h"
#include "processor_assignment.h"
#include "syscalls.h"
#include "time_slices.h"
#include "windows.h"

static Int stream_fd = -1;
static Bool start_stopped;
static Int spare_fd = -1; /* the log's: Valgrind keeps a copy of its own */
static Int processors = 1;
static Long seed;

static Bool read_option(const HChar *arg)
{
	const HChar *own, *collector, *map, *windows;
	Int line = 0;

	if VG_INT_CLO (arg, "--stream-fd", stream_fd) {
	} else if VG_INT_CLO (arg, "--spare-fd", spare_fd) {
	} else if VG_BOOL_CLO (arg, "--start-stopped", start_stopped) {
	} else if VG_STR_CLO (arg, "--collector", collector) {
		ms_vg_child_set_collector(collector);
	} else if VG_BINT_CLO (arg, "--processors", processors, 1, 1024) {
	} else if VG_BINT_CLO (arg, "--line", line, 1, 1 << 30) {
		ms_vg_contended_set_line_size(line);
	} else if VG_INT_CLO (arg, "--seed", seed) {
	} else if VG_STR_CLO (arg, "--cpus", map) {
		return ms_vg_assign_read_map(map);
	} else if VG_STR_CLO (arg, "--windows", windows) {
		return ms_vg_windows_read_option(windows);
	} else if VG_STR_CLO (arg, "--groups", windows) {
		return ms_vg_windows_read_groups(windows);
	} else if VG_STR_CLO (arg, "--own", own) {
		return ms_vg_allocators_add_private(own);
	} else
		return False;
	return True;
}

static void print_usage(void)
{
	VG_(printf)
	("    --stream-fd=<number>    where to write; given by `memspy run`\n"
	 "    --spare-fd=<number>     not needed after the start; given by `memspy run`\n"
	 "    --start-stopped=yes     count from the program's first MEMSPY_START() on\n"
	 "    --collector=<name>      where children request a stream; given by `memspy run`\n"
	 "    --processors=<number>   schedule threads as if they ran on so many\n"
	 "    --line=<bytes>          the largest lines of their caches\n"
	 "    --cpus=<map>            which thread on which of them\n"
	 "    --seed=<number>         varies the time slices\n"
	 "    --windows=<m>,<p>,<s>,<h>,<c>   only windows of m references in p are sent, drawn "
	 "by\n"
	 "                            seed s, after the first h; c: that may change on the way\n"
	 "    --groups=<shift>:<hex>  of these groups of lines\n"
	 "    --own=<call>            a private allocator's function; given by `memspy run`\n");
}

static void print_debug_usage(void)
{
}

static void before_syscall(ThreadId tid, UInt number, UWord *args, UInt n)
{
	if (number == __NR_exit_group || number == __NR_exit)
		ms_vg_lane_set_exit_code(args[0] & 0xff);
	ms_vg_syscalls_before(tid, number, args);
}

static void after_syscall(ThreadId tid, UInt number, UWord *args, UInt n, SysRes result)
{
	ms_vg_syscalls_after(tid, number, args, result);
}

static void post_options(void)
{
	if (spare_fd >= 0)
		VG_(close)(spare_fd);
	if (stream_fd < 0 || !ms_vg_lane_attach(stream_fd)) {
		VG_(fmsg)("this tool is a part of memspy: type `memspy run PROGRAM`\n");
		VG_(exit)(125);
	}
	ms_vg_memory_map_stack();
	ms_vg_slice_start(processors, seed);
	ms_vg_windows_start();
	VG_(atfork)(ms_vg_child_before_fork, ms_vg_child_wait, ms_vg_child_after_fork);
	if (start_stopped)
		ms_vg_lane_set_counting(False);
}

static void finish(Int exit_code)
{
	ms_vg_allocators_report_missing();
	ms_vg_lane_finish();
}

static void pre_options(void)
{
	VG_(details_name)("memspy");
	VG_(details_version)(NULL);
	VG_(details_description)("which data, used in which code, waits for memory");
	VG_(details_copyright_author)("GPL-2.0-or-later");
	VG_(details_bug_reports_to)("memspy");
	VG_(details_avg_translation_sizeB)(400);

	VG_(basic_tool_funcs)(post_options, ms_vg_instrument, finish);
	VG_(needs_command_line_options)(read_option, print_usage, print_debug_usage);
	VG_(needs_client_requests)(ms_vg_client_request);
	VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
	ms_vg_memory_start();
}

VG_DETERMINE_INTERFACE_VERSION(pre_options)
