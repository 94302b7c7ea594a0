/* main.c - the Valgrind tool "memspy": started by `memspy run`, never by hand. */
#include "tool.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

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
		ms_follow_start(collector);
	} else if VG_BINT_CLO (arg, "--processors", processors, 1, 1024) {
	} else if VG_BINT_CLO (arg, "--line", line, 1, 1 << 30) {
		ms_contend_lines(line);
	} else if VG_INT_CLO (arg, "--seed", seed) {
	} else if VG_STR_CLO (arg, "--cpus", map) {
		return ms_assign_map(map);
	} else if VG_STR_CLO (arg, "--windows", windows) {
		return ms_windows_option(windows);
	} else if VG_STR_CLO (arg, "--groups", windows) {
		return ms_windows_groups(windows);
	} else if VG_STR_CLO (arg, "--own", own) {
		return ms_entries_own(own);
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
	 "    --collector=<name>      where children ask for a stream; given by `memspy run`\n"
	 "    --processors=<number>   threads take turns as if they ran on so many\n"
	 "    --line=<bytes>          the largest lines of their caches\n"
	 "    --cpus=<map>            which thread on which of them\n"
	 "    --seed=<number>         varies the turns\n"
	 "    --windows=<m>,<p>,<s>,<h>,<c>   only windows of m references in p are told, drawn "
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
		ms_lane_exit_code(args[0] & 0xff);
	ms_calls_before(tid, number, args);
}

static void after_syscall(ThreadId tid, UInt number, UWord *args, UInt n, SysRes result)
{
	ms_calls_after(tid, number, args, result);
}

static void post_options(void)
{
	if (spare_fd >= 0)
		VG_(close)(spare_fd);
	if (stream_fd < 0 || !ms_lane_attach(stream_fd)) {
		VG_(fmsg)("this tool is a part of memspy: type `memspy run PROGRAM`\n");
		VG_(exit)(125);
	}
	ms_memory_map_stack();
	ms_turns_start(processors, seed);
	ms_windows_start();
	VG_(atfork)(ms_follow_fork, ms_follow_wait, ms_follow_forked);
	if (start_stopped)
		ms_lane_count(False);
}

static void finish(Int exit_code)
{
	ms_entries_finish();
	ms_lane_finish();
}

static void pre_options(void)
{
	VG_(details_name)("memspy");
	VG_(details_version)(NULL);
	VG_(details_description)("which data, used in which code, waits for memory");
	VG_(details_copyright_author)("GPL-2.0-or-later");
	VG_(details_bug_reports_to)("memspy");
	VG_(details_avg_translation_sizeB)(400);

	VG_(basic_tool_funcs)(post_options, ms_instrument, finish);
	VG_(needs_command_line_options)(read_option, print_usage, print_debug_usage);
	VG_(needs_client_requests)(ms_request);
	VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
	ms_memory_start();
}

VG_DETERMINE_INTERFACE_VERSION(pre_options)
