/*
 * startup.c - how the runtime enters a program and how it leaves it.
 *
 * memspy adds this object's path to the front of LD_PRELOAD, and sets MEMSPY_NATIVE. Both are
 * restored before any code of the program sees them, so that neither the program nor its children
 * notice. If children are followed, they must find both, and both stay. This object's constructor
 * is the first of all (-z initfirst).
 */
#include "heap/alloc_sampling.h"
#include "heap/heap.h"
#include "interpose/interpose.h"
#include "maps/dynamic_loader.h"
#include "maps/maps.h"
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
#include "sampling/counted_start.h"
#include "sampling/sampling.h"
#include "sampling/timer_sampling.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "signals/exec_signals.h"
#include "syscalls/syscalls.h"
#include "tracer/block_descriptions.h"
#include "tracer/time_slices.h"
#include "tracer/tracer.h"
#include "unwind/unwind.h"
#include "wire/wire.h"

struct ms_runtime_config ms_runtime_config = { .stream_fd = -1, .log_fd = -1, .maps_fd = -1 };
/* Alone in its page: a child whose fork was not noticed finds 0 there. */
uint32_t ms_runtime_state_page[MS_RUNTIME_PAGE_BYTES / 4] __attribute__((aligned(4096)));

/* --- the environment --- */

static const char *next_word(const char *text, char between)
{
	while (*text != '\0' && *text != between)
		text++;
	return *text == between ? text + 1 : text;
}

static uint64_t parse_number(const char *text)
{
	uint64_t n = 0;

	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (uint64_t)(*text - '0');
	return n;
}

static void copy_name(char *to, size_t room, const char *from)
{
	size_t n = 0;

	for (; from[n] != '\0' && from[n] != ',' && n + 1 < room; n++)
		to[n] = from[n];
	to[n] = '\0';
}

/* From the start of the program: what existed before has no time. */
static bool wants_times;

/* "6:00ff...": the number of address bits below a group's number, then which groups are sampled,
 * four to a digit, the first ones in the first. */
static void read_groups(const char *text)
{
	ms_runtime_config.group_shift = (uint32_t)parse_number(text);
	text = next_word(text, ':');
	for (; *text != '\0' && *text != ',' &&
	       ms_runtime_config.set_groups < MS_RUNTIME_MAX_SET_GROUPS;
	     text++) {
		uint32_t bits = (uint32_t)(*text <= '9' ? *text - '0' : *text - 'a' + 10);

		ms_runtime_config.sampled_groups[ms_runtime_config.set_groups / 8] |=
			(uint8_t)(bits << ms_runtime_config.set_groups % 8);
		ms_runtime_config.set_groups += 4;
	}
}

/* A file of another process: "/proc/PROCESS/fd/NUMBER". */
static int open_file_of(const char *process, int number)
{
	enum { HERE = -100, READ_WRITE_CLOEXEC = 02000002 };
	char path[64] = "/proc/";
	size_t n = 6;

	while (*process >= '0' && *process <= '9' && n < 24)
		path[n++] = *process++;
	ms_runtime_copy_bytes(path + n, "/fd/", 4);
	n += 4;
	n += ms_runtime_format_number(path + n, (uint64_t)number, 10);
	path[n] = '\0';
	return (int)ms_runtime_syscall(__NR_openat, HERE, (long)path, READ_WRITE_CLOEXEC, 0, 0, 0);
}

/* "stream=5,log=6,idle,..." */
static void read_config(const char *text)
{
	for (; *text != '\0'; text = next_word(text, ',')) {
		if (ms_runtime_has_prefix(text, "stream=")) {
			ms_runtime_config.stream_fd = (int)parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "log=")) {
			ms_runtime_config.log_fd = (int)parse_number(text + 4);
		} else if (ms_runtime_has_prefix(text, "idle")) {
			ms_runtime_config.no_tracing = true;
		} else if (ms_runtime_has_prefix(text, "quiet")) {
			ms_runtime_config.no_tracing = ms_runtime_config.no_allocs = true;
		} else if (ms_runtime_has_prefix(text, "sample=")) {
			ms_runtime_config.sample_interval = parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "wish=")) {
			ms_runtime_config.max_overhead_ppm = parse_number(text + 5);
		} else if (ms_runtime_has_prefix(text, "tell=")) {
			ms_runtime_config.max_alloc_overhead_ppm = parse_number(text + 5);
		} else if (ms_runtime_has_prefix(text, "seed=")) {
			ms_runtime_config.seed = parse_number(text + 5);
		} else if (ms_runtime_has_prefix(text, "split")) {
			ms_runtime_config.lane_per_thread = true;
		} else if (ms_runtime_has_prefix(text, "stopped")) {
			ms_runtime_config.start_stopped = true;
		} else if (ms_runtime_has_prefix(text, "period=")) {
			ms_runtime_config.period = parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "groups=")) {
			read_groups(text + 7);
		} else if (ms_runtime_has_prefix(text, "window=")) {
			ms_runtime_config.window = parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "head=")) {
			ms_runtime_config.head_refs = parse_number(text + 5);
		} else if (ms_runtime_has_prefix(text, "counted=")) {
			ms_runtime_config.counted_refs = parse_number(text + 8);
		} else if (ms_runtime_has_prefix(text, "least=")) {
			ms_runtime_config.counted_least = parse_number(text + 6);
		} else if (ms_runtime_has_prefix(text, "paced")) {
			ms_runtime_config.plan_may_change = true;
		} else if (ms_runtime_has_prefix(text, "halved=")) {
			ms_runtime_config.halved_windows = (uint32_t)parse_number(text + 7);
		} else if (ms_runtime_has_prefix(text, "cache=")) {
			ms_runtime_config.cache_halvings = (uint32_t)parse_number(text + 6);
		} else if (ms_runtime_has_prefix(text, "altstacks=")) {
			ms_runtime_config.max_altstacks = (uint32_t)parse_number(text + 10);
		} else if (ms_runtime_has_prefix(text, "times")) {
			wants_times = true;
		} else if (ms_runtime_has_prefix(text, "from=")) {
			ms_runtime_config.stream_fd =
				open_file_of(text + 5, ms_runtime_config.stream_fd);
			ms_runtime_config.log_fd = open_file_of(text + 5, ms_runtime_config.log_fd);
		} else if (ms_runtime_has_prefix(text, "own=")) {
			ms_heap_add_private_name(text + 4);
		} else if (ms_runtime_has_prefix(text, "collector=")) {
			ms_runtime_config.follow_children = true;
			copy_name(ms_runtime_config.collector, sizeof(ms_runtime_config.collector),
				  text + 10);
		}
	}
}

static void remove_at(char **at)
{
	do
		at[0] = at[1];
	while (*at++ != NULL);
}

/* This object comes first in it; the previous value follows a colon. */
static void restore_preload(char **at)
{
	static const char name[] = "LD_PRELOAD=";
	const char *rest = next_word(*at, ':');
	size_t n = sizeof(name) - 1;

	if (*rest == '\0') {
		remove_at(at);
		return;
	}
	/* In place: the strings are the process's own. */
	char *to = *at + n;
	while ((*to++ = *rest++) != '\0')
		;
}

/* For executed programs: everything but the files, which are this process's. */
static void keep_for_children(char *text)
{
	char *to = text;

	for (const char *from = text; *from != '\0';) {
		const char *next = next_word(from, ',');

		if (!ms_runtime_has_prefix(from, "stream=") && !ms_runtime_has_prefix(from, "log="))
			while (from < next)
				*to++ = *from++;
		from = next;
	}
	*to = '\0';
}

static bool read_environment(char **env)
{
	bool found = false;

	for (char **at = env; *at != NULL && !found; at++)
		if (ms_runtime_has_prefix(*at, "MEMSPY_NATIVE=")) {
			read_config(*at + 14);
			found = true;
			if (ms_runtime_config.follow_children)
				keep_for_children(*at + 14);
			else
				remove_at(at--);
		}
	for (char **at = env; found && !ms_runtime_config.follow_children && *at != NULL; at++)
		if (ms_runtime_has_prefix(*at, "LD_PRELOAD=")) {
			restore_preload(at);
			break;
		}
	return found;
}

/* --- events of the runtime: see hooks.h --- */

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
}

static void thread_ended(struct ms_runtime_thread *t)
{
	ms_signals_delete_timer(t);
	ms_sampling_remove_breakpoint(t);
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
	ms_tracer_reset_time_slices(t);
	ms_maps_reset_unloading(t);
}

static void stream_abandoned(void)
{
	ms_interpose_set_alloc_recording(false);
}

const struct ms_runtime_hooks ms_runtime_hooks = {
	.get_thread_bytes = ms_sampling_get_exit_counter_bytes,
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
	.chunk_published = ms_sampling_count_published,
	.is_outside_window = ms_sampling_is_outside_window,
	.stream_abandoned = stream_abandoned,
	.lanes_split = ms_heap_set_multithreaded,
};

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

struct ms_runtime_thread *ms_runtime_start(int argc, char **argv, char **env)
{
	(void)argc;
	(void)argv;
	if (!read_environment(env) || (ms_runtime_config.stream_fd < 0 &&
				       !(ms_runtime_config.follow_children &&
					 ms_syscalls_request_stream(NULL, MS_WIRE_ASK_EXEC))))
		return NULL;
	ms_interpose_find_real_functions();
	ms_syscalls_raise_memory_limits();
	struct ms_runtime_thread *t = ms_runtime_create_first_thread();
	if (t == NULL || !attach_to_stream(t, ms_runtime_attach_stream)) {
		ms_syscalls_restore_memory_limits();
		return NULL;
	}
	report_all(t);
	if (ms_runtime_config.follow_children) {
		watch_exit();
		ms_syscalls_start_following();
	}
	ms_runtime_config.with_times = wants_times;
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

void ms_runtime_end_process(struct ms_runtime_thread *t, uint32_t code)
{
	const uint64_t how = MS_WIRE_END_OWN;

	if (!ms_runtime_active)
		return;
	report_windows(t, false);
	ms_sampling_finish(t);
	ms_runtime_write_event(t, MS_WIRE_THREAD_END, t->number, &how, 1, NULL, 0);
	ms_runtime_active = 0;
	ms_runtime_set_exit_code(code);
	ms_runtime_finish_stream(t);
}

void ms_runtime_leave_program(struct ms_runtime_thread *t, const char *why)
{
	if (!ms_runtime_active)
		return;
	if (!ms_runtime_config.no_tracing)
		report_windows(t, true);
	ms_sampling_finish(t);
	ms_runtime_log_message("memspy: the program ran on untraced to its end: %s", why);
	ms_signals_stop_hiding(t);
	ms_runtime_active = 0;
	ms_interpose_set_alloc_recording(false);
	ms_runtime_finish_stream(t);
}

/* Called by any thread, with any locks held. */
void ms_runtime_abandon_program(const char *why)
{
	if (!ms_runtime_active)
		return;
	ms_runtime_log_message("memspy: the program ran on untraced to its end: %s", why);
	ms_runtime_active = 0;
	ms_runtime_abandon_stream();
}

/* The object's destructor: the process ends regularly, with a status that is unknown here. */
void ms_runtime_finish(void);
void ms_runtime_finish(void)
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
	report_all(t);
	ms_syscalls_report_live_state(t);
	ms_runtime_active = 1;
	if (ms_runtime_config.lane_per_thread)
		ms_runtime_split_lanes(t);
	ms_runtime_restart_recording(t);
	if (ms_runtime_config.period != 0)
		ms_sampling_restart_in_child(t);
}

void ms_runtime_handle_fork(struct ms_runtime_thread *t)
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
