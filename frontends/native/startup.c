/*
 * startup.c - how the runtime enters a program and how it leaves it: composes all parts, and
 * defines the hooks by which they call parts above them (runtime/hooks.h).
 *
 * memspy adds this object's path to the front of LD_PRELOAD, and sets MEMSPY_NATIVE. Both are
 * restored before any code of the program sees them, so that neither the program nor its children
 * notice. If children are followed, they must find both, and both stay. If only executed programs
 * are, syscalls/exec_environment.c adds both again. This object's constructor is the first of all
 * (-z initfirst).
 */
#include "heap/alloc_sampling.h"
#include "heap/heap.h"
#include "interpose/interposed_functions.h"
#include "maps/dynamic_loader.h"
#include "maps/maps.h"
#include "native.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "runtime/threads.h"
#include "sampling/breakpoint_probe.h"
#include "sampling/fault_probe.h"
#include "sampling/sampling.h"
#include "sampling/timer_sampling.h"
#include "sampling/traced_syscall.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "signals/exec_signals.h"
#include "syscalls/syscalls.h"
#include "tracer/block_descriptions.h"
#include "tracer/exit_counters.h"
#include "tracer/time_slices.h"
#include "tracer/tracer.h"
#include "unwind/path_cache.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

/* --- events of threads: see runtime/hooks.h --- */

static void thread_reused(struct ms_runtime_thread *t)
{
	ms_signals_reset_altstack(t);
	ms_unwind_empty_path_cache(t);
}

static uint32_t number_start(struct ms_runtime_thread *t)
{
	return ms_unwind_number_path(t, &t->start, 1);
}

static bool thread_arrives(struct ms_runtime_thread *t)
{
	return ms_runtime_config.no_tracing || ms_signals_create_altstack(t);
}

static bool thread_begins(struct ms_runtime_thread *t)
{
	ms_heap_start_thread_alloc_sampling(t);
	if (ms_runtime_config.no_tracing) {
		if (ms_runtime_config.sample_interval != 0)
			ms_sampling_start_timer_thread(t);
		return false;
	}
	ms_tracer_add_thread(t);
	return ms_runtime_config.period == 0 || ms_sampling_start_thread(t);
}

static void thread_ends(struct ms_runtime_thread *t)
{
	ms_heap_cancel_realloc(t->heap_resize);
	ms_heap_end_kept_name(t);
}

static void chunk_published(struct ms_runtime_thread *t)
{
	ms_heap_check_kept_name(t);
	ms_sampling_count_published(t);
}

static void thread_ended(struct ms_runtime_thread *t)
{
	ms_signals_delete_timer(t);
	ms_sampling_remove_breakpoint(t);
	ms_sampling_stop_fault_probe(t);
	ms_tracer_remove_thread(t);
	ms_tracer_leave_time_slice(t);
}

static void thread_forked(struct ms_runtime_thread *t)
{
	ms_signals_reset_timers(t);
	ms_signals_reset_execs();
	ms_sampling_stop_after_fork();
	ms_heap_reset_reallocs(t);
	ms_sampling_remove_breakpoint(t);
	ms_sampling_stop_fault_probe(t);
	ms_tracer_reset_time_slices(t);
	ms_maps_reset_unloading(t);
}

/* --- events of modules --- */

static void module_left(void)
{
	ms_tracer_forget_ref_blocks();
	ms_unwind_invalidate_caches();
}

/* --- events of system calls and signals --- */

static void code_replaced(uint64_t start, uint64_t size)
{
	const uint64_t unmapped[6] = { start, size };

	ms_tracer_handle_code_change(__NR_munmap, unmapped);
}

static void syscall_made(struct ms_runtime_thread *t, bool is_process)
{
	if (is_process)
		ms_sampling_end_traced_syscall(t);
	else
		ms_sampling_note_syscall(t);
}

static void stay_traced(struct ms_runtime_thread *t)
{
	ms_sampling_keep_traced(t, MS_SAMPLING_SYSCALL_CHECKS_SHORT);
}

static void timer_may_run(struct ms_runtime_thread *t)
{
	if (ms_runtime_config.no_tracing)
		ms_sampling_resume_timer_sampling(t);
	else
		ms_sampling_resume_timer(t);
}

/* --- events of the tracer --- */

static bool is_wrapper_call(uint64_t pc)
{
	return pc == (uint64_t)&ms_interpose_call_mapping_function;
}

/* --- start and end --- */

static bool attach_to_stream(struct ms_runtime_thread *t,
			     bool (*attach_lane)(int fd, struct ms_runtime_thread *t))
{
	bool attached = attach_lane(ms_runtime_config.stream_fd, t);

	ms_runtime_syscall(SYS_close, ms_runtime_config.stream_fd, 0, 0, 0, 0, 0);
	if (ms_runtime_config.log_fd >= 0) {
		ms_runtime_open_log(ms_runtime_config.log_fd);
		ms_runtime_syscall(SYS_close, ms_runtime_config.log_fd, 0, 0, 0, 0, 0);
	}
	if (!attached)
		ms_runtime_log_message(
			"memspy: the stream has a version that this front-end does not support");
	return attached;
}

/* Immediately: memspy reads the symbols of the modules while the program runs. */
static void report_all(struct ms_runtime_thread *t)
{
	ms_maps_report_all(t);
	if (ms_runtime_config.maps_fd >= 0)
		ms_runtime_syscall(SYS_close, ms_runtime_config.maps_fd, 0, 0, 0, 0, 0);
	ms_runtime_config.maps_fd = -1;
	ms_runtime_report_thread(t, MS_WIRE_NO_THREAD);
	ms_runtime_hand_over_chunk(t);
}

/* --- the exit status --- */

static void record_exit_status(int status, void *unused)
{
	(void)unused;
	ms_runtime_set_exit_code((uint32_t)status & 0xff);
}

/*
 * Memspy gets no exit status of a process that is not its child. A traced exit is seen. A process
 * that ends natively, between windows, ends through the C library's exit(), also by a return from
 * main.
 */
static void watch_exit(void)
{
	const char *object = "";
	int (*on_exit)(void (*)(int, void *), void *) =
		ms_maps_find_next_function("on_exit", &object);

	if (on_exit != NULL && ms_runtime_has_file_name_prefix(object, "libc.so"))
		on_exit(record_exit_status, NULL);
}

struct ms_runtime_thread *ms_native_start(int argc, char **argv, char **env)
{
	(void)argc;
	(void)argv;
	if (!ms_runtime_read_environment(env))
		return NULL;
	bool is_executed = ms_runtime_config.stream_fd < 0; /* by a program that is followed */
	if (is_executed &&
	    !(ms_runtime_follows_execs() && ms_syscalls_request_stream(NULL, MS_WIRE_ASK_EXEC)))
		return NULL;
	ms_interpose_find_real_functions();
	ms_syscalls_raise_memory_limits();
	struct ms_runtime_thread *t = ms_runtime_create_first_thread();
	if (t == NULL || !attach_to_stream(t, ms_runtime_attach_stream)) {
		ms_syscalls_restore_memory_limits();
		return NULL;
	}
	report_all(t);
	if (ms_runtime_config.follow_children || is_executed)
		watch_exit();
	if (ms_runtime_follows_execs())
		ms_syscalls_start_following();
	ms_runtime_config.with_times = ms_runtime_config.wants_times;
	ms_runtime_syscall(__NR_madvise, (long)ms_runtime_state_page, MS_RUNTIME_PAGE_BYTES,
			   18 /* MADV_WIPEONFORK */, 0, 0, 0);
	ms_runtime_active = 1;
	ms_signals_start_altstacks();
	if (ms_runtime_config.no_tracing)
		ms_heap_start_alloc_sampling(t, ms_runtime_config.max_alloc_overhead_ppm);
	ms_interpose_set_alloc_recording(!ms_runtime_config.no_allocs);
	if (ms_runtime_config.lane_per_thread)
		ms_runtime_split_lanes(t);
	if (ms_runtime_config.start_stopped)
		ms_runtime_set_recording(t, false);
	if (ms_runtime_config.no_tracing) {
		if (ms_runtime_config.sample_interval != 0)
			ms_sampling_start_timer_sampling(t);
		return NULL;
	}
	bool started = ms_tracer_start();
	ms_syscalls_restore_memory_limits();
	if (!started || !ms_signals_create_altstack(t))
		return NULL;
	ms_tracer_add_thread(t);
	return ms_runtime_config.period == 0 || ms_sampling_start(t) ? t : NULL;
}

static const char *plural_ending(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* Where only windows are traced, the program is untraced most of the time anyway: then this is the
 * number of windows that were cut short. */
static void log_untraced(const struct ms_tracer_stats *stats, uint32_t end, const char *why)
{
	if (ms_runtime_config.window < ms_runtime_config.period)
		ms_runtime_log_message(
			"memspy: %u of the %u times that the program was traced it ran on untraced "
			"too "
			"soon: %s",
			stats->ends[end], stats->windows, why);
	else
		ms_runtime_log_message("memspy: the program ran on untraced %u time%s: %s",
				       stats->ends[end], plural_ending(stats->ends[end]), why);
}

/* Results are never wrong; at worst a part is untraced: reports how often, and why. */
static void report_windows(struct ms_runtime_thread *t, bool to_its_end)
{
#define TEXT(name, text) [MS_TRACER_END_##name] = text,
	static const char *const why[MS_TRACER_END_KINDS] = { MS_TRACER_END_REASONS(TEXT) };
#undef TEXT
	struct ms_tracer_stats stats;

	ms_tracer_report_all_untraced(t, to_its_end, ms_runtime_untraced_threads);
	ms_tracer_collect_stats(&stats);
	for (uint32_t i = 0; i < MS_TRACER_END_KINDS; i++)
		if (i != MS_TRACER_END_ASKED && stats.ends[i] != 0)
			log_untraced(&stats, i, why[i]);
	if (stats.restarts != 0)
		ms_runtime_log_message(
			"memspy: translated code was made anew %u time%s, as its cache was full",
			stats.restarts, plural_ending(stats.restarts));
	ms_heap_report_missing_names();
	if (ms_runtime_untraced_threads != 0)
		ms_runtime_log_message("memspy: %u thread%s ran untraced: too many at a time",
				       (uint64_t)ms_runtime_untraced_threads,
				       plural_ending(ms_runtime_untraced_threads));
}

/* --- the end --- */

static void process_ends(struct ms_runtime_thread *t)
{
	report_windows(t, false);
	ms_sampling_finish(t);
}

static void program_left(struct ms_runtime_thread *t, const char *why)
{
	if (!ms_runtime_config.no_tracing)
		report_windows(t, true);
	ms_sampling_finish(t);
	ms_runtime_log_message("memspy: the program ran on untraced to its end: %s", why);
	ms_signals_stop_hiding(t);
}

static void stream_abandoned(void)
{
	ms_interpose_set_alloc_recording(false);
}

/* The object's destructor: the process ends regularly, with a status that is unknown here. */
void ms_native_finish(void);
void ms_native_finish(void)
{
	struct ms_runtime_thread *t = ms_runtime_get_current_thread();

	if (t != NULL && (!t->traced || ms_runtime_config.period != 0)) {
		if (!ms_runtime_config.no_tracing)
			report_windows(t, false);
		ms_sampling_finish(t);
		ms_runtime_active = 0;
		ms_runtime_finish_stream(t);
	}
}

/* The child's own stream begins as its parent's did. */
static void begin_child_stream(struct ms_runtime_thread *t)
{
	ms_tracer_restart_descriptions();
	ms_maps_forget_modules();
	ms_unwind_invalidate_caches();
	report_all(t);
	ms_syscalls_report_live_state(t);
	ms_runtime_active = 1;
	if (ms_runtime_config.lane_per_thread)
		ms_runtime_split_lanes(t);
	ms_runtime_restart_recording(t);
	if (ms_runtime_config.period != 0)
		ms_sampling_restart_in_child(t);
}

static void process_forked(struct ms_runtime_thread *t)
{
	ms_runtime_active = 0;
	ms_runtime_close_log();
	ms_runtime_reset_threads(t);
	ms_runtime_leave_stream(t);
	if (ms_runtime_config.follow_children && !ms_runtime_are_locks_abandoned() &&
	    ms_syscalls_request_stream(t, MS_WIRE_ASK_FORK) &&
	    attach_to_stream(t, ms_runtime_join_stream))
		begin_child_stream(t);
}

const struct ms_runtime_hooks ms_native_hooks = {
	.get_thread_bytes = ms_tracer_get_exit_counter_bytes,
	.thread_reused = thread_reused,
	.find_stack = ms_maps_find_stack,
	.get_stack_limit = ms_maps_get_stack_limit,
	.number_start = number_start,
	.thread_creation_begins = ms_signals_begin_thread_creation,
	.thread_creation_ends = ms_signals_end_thread_creation,
	.thread_arrives = thread_arrives,
	.thread_begins = thread_begins,
	.thread_returns = ms_sampling_end_thread,
	.thread_wakes = ms_syscalls_record_waker,
	.thread_ends = thread_ends,
	.thread_ended = thread_ended,
	.thread_forked = thread_forked,
	.chunk_published = chunk_published,
	.is_outside_window = ms_sampling_is_outside_window,
	.stream_abandoned = stream_abandoned,
	.lanes_split = ms_heap_set_multithreaded,
	.private_allocator_named = ms_heap_add_private_name,
	.stack_table_given = ms_heap_read_stack_table,
	.process_ends = process_ends,
	.program_left = program_left,
	.process_forked = process_forked,
	.headers_found = ms_interpose_install_request_entry,
	.module_found = ms_heap_scan_module,
	.module_leaves = ms_heap_unwatch_range,
	.module_left = module_left,
	.code_unmapped = ms_tracer_forget_code,
	.pc_watched = ms_tracer_stop_linking_to,
	.pc_unwatched = ms_tracer_retranslate_near,
	.may_block = ms_sampling_leave_for_syscall,
	.blocks_now = ms_tracer_offer_time_slice,
	.wake_recorded = ms_sampling_publish_event,
	.threads_woken = ms_sampling_handle_wakeups,
	.syscall_made = syscall_made,
	.exec_announced = ms_sampling_report_before_exec,
	.exec_begins = ms_signals_begin_exec,
	.exec_failed = ms_signals_end_exec,
	.code_replaced = code_replaced,
	.mask_changed = ms_signals_record_program_mask,
	.get_signal_entry = ms_tracer_get_signal_entry,
	.stay_traced = stay_traced,
	.timer_may_run = timer_may_run,
	.exec_wrappers_required = ms_interpose_update_process_entries,
	.is_wrapper_call = is_wrapper_call,
	.fork_timed = ms_sampling_add_fork_time,
	.may_continue = ms_sampling_may_continue,
	.chunk_filled = ms_sampling_handle_full_chunk,
	.window_ended = ms_sampling_handle_window_end,
	.native_time_begins = ms_sampling_begin_native_time,
	.native_time_cancelled = ms_sampling_cancel_native_time,
	.is_window_closing = ms_sampling_is_window_closing,
	.is_everything_counted = ms_sampling_is_everything_counted,
};
