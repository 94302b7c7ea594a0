/*
 * dispatch.c - opens and ends windows, and implements what generated code calls C for: a full
 * chunk, a branch that is not linked yet, an indirect branch that is not in the table, system calls
 * and requests.
 *
 * C runs on its own stack, with the program's registers in struct ms_tracer_window, and leaves
 * vector registers unchanged. A signal that arrives meanwhile is delivered before the program
 * continues.
 */
#include "allocators.h"
#include "arch.h"
#include "heap/heap.h"
#include "interpose/interpose.h"
#include "maps/maps.h"
#include "raw_syscall.h"
#include "runtime/config.h"
#include "runtime/hooks.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/runtime.h"
#include "runtime/thread_state.h"
#include "signals/altstack.h"
#include "signals/cpu_timer.h"
#include "syscalls/syscalls.h"
#include "tracer/arch_priv.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "tracer/signal_delivery.h"
#include "tracer/time_slices.h"
#include "tracer/tracer.h"
#include "tracer/window.h"
#include "unwind/unwind.h"

struct ms_runtime_thread *ms_tracer_traced_threads; /* threads that have ever been traced */

void ms_tracer_add_thread(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	w->stack = ((uint64_t)t->tracer + MS_RUNTIME_TRACER_BYTES - 64) & ~UINT64_C(15);
	w->table = (uint64_t)ms_tracer_branch_tables[MS_TRACER_CODE_RECORDS];
	ms_tracer_set_stub_addresses(w);
	w->tid = (uint64_t)ms_runtime_syscall(__NR_gettid, 0, 0, 0, 0, 0, 0);
	ms_signals_install_altstack(t);
	ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
	w->next = ms_tracer_traced_threads;
	ms_tracer_traced_threads = t;
	ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
}

void ms_tracer_remove_thread(struct ms_runtime_thread *t)
{
	struct ms_runtime_thread **at = &ms_tracer_traced_threads;

	ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
	while (*at != NULL && *at != t)
		at = &ms_tracer_get_window(*at)->next;
	if (*at == t)
		*at = ms_tracer_get_window(t)->next;
	ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
}

bool ms_tracer_start(void)
{
	if (!ms_tracer_check_processor())
		return false;
	if (!ms_tracer_start_cache() || !ms_tracer_start_set_sampling()) {
		ms_runtime_log_message("memspy: no memory for translated code%s",
				       MS_TRACER_CACHE_MAP_FLAGS != 0 ? " below 2 GiB" : "");
		return false;
	}
	ms_tracer_start_emitter();
	ms_tracer_begin_cache();
	ms_signals_take_all_handlers();
	return true;
}

void ms_tracer_forget_code(uint64_t start, uint64_t size)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
	if (!ms_runtime_are_locks_abandoned()) {
		ms_tracer_forget_blocks(start, start + size);
		ms_tracer_forget_decoded();
		ms_tracer_forget_ref_blocks();
	}
	ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
}

void ms_tracer_stop_linking_to(uint64_t pc)
{
	ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
	if (!ms_runtime_are_locks_abandoned())
		ms_tracer_forget_blocks_at(pc);
	ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
}

void ms_tracer_retranslate_near(uint64_t pc)
{
	enum { NEAR = 4096 }; /* bytes: mostly of the loop that the call is in */

	ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
	if (!ms_runtime_are_locks_abandoned())
		ms_tracer_forget_blocks(pc - NEAR, pc + NEAR);
	ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
}

void ms_tracer_handle_fork(struct ms_runtime_thread *t)
{
	ms_tracer_traced_threads = t;
	ms_tracer_get_window(t)->next = NULL;
	ms_tracer_get_window(t)->tid = (uint64_t)ms_runtime_syscall(__NR_gettid, 0, 0, 0, 0, 0, 0);
	ms_tracer_reset_reopen_timer(t);
	ms_tracer_forget_code(0, UINT64_MAX);
}

void ms_tracer_collect_stats(struct ms_tracer_stats *stats)
{
	*stats = ms_tracer_stats;
	for (struct ms_runtime_thread *t = ms_tracer_traced_threads; t != NULL;
	     t = ms_tracer_get_window(t)->next) {
		const struct ms_tracer_window *w = ms_tracer_get_window(t);

		stats->windows += w->windows;
		stats->misses += w->misses;
		stats->signals += w->signals;
		stats->held += w->holds;
		stats->faults += w->faults;
		stats->calls += w->calls;
		for (uint32_t i = 0; i < MS_TRACER_END_KINDS; i++)
			stats->ends[i] += w->ends[i];
	}
}

void ms_tracer_interrupt_at_block_end(struct ms_runtime_thread *t)
{
	if (t->limit != 0)
		ms_tracer_get_window(t)->held_limit = t->limit;
	t->limit = 0;
}

/* The thread is in C: the cache may change meanwhile. */
struct ms_tracer_window *ms_tracer_leave_cache(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	/* That another thread sees it late does no harm: it waits a little longer. */
	__atomic_store_n(&w->inside, 0, __ATOMIC_RELEASE);
	return w;
}

bool ms_tracer_wait_until_outside(uint64_t time)
{
	enum { TRIES = 1000 };
	static const int64_t a_while[2] = { 0, 100000 };
	struct ms_runtime_thread *t = ms_tracer_traced_threads;

	for (uint32_t tries = 0; t != NULL && tries < TRIES;) {
		uint64_t inside =
			__atomic_load_n(&ms_tracer_get_window(t)->inside, __ATOMIC_SEQ_CST);

		if (inside == 0 || inside >= time) {
			t = ms_tracer_get_window(t)->next;
			continue;
		}
		tries++;
		ms_runtime_syscall(__NR_nanosleep, (long)a_while, 0, 0, 0, 0, 0);
	}
	return t == NULL;
}

_Noreturn void ms_tracer_end_window(struct ms_runtime_thread *t, uint32_t why)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	w->ends[why]++;
	ms_tracer_begin_untraced_time(t, why);
	ms_tracer_leave_cache(t);
	w->ended_early = why != MS_TRACER_END_ASKED && ms_runtime_config.period == 0;
	if (ms_runtime_config.period != 0)
		ms_native_hooks.window_ended(t, why != MS_TRACER_END_ASKED);
	ms_tracer_leave_time_slice(t);
	ms_tracer_release_held(t);
	ms_tracer_leave_window(t);
}

/* --- functions of the runtime that traced code calls: C calls them natively --- */

typedef uint64_t callee(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

static bool is_program_caller(uint64_t pc)
{
	return pc >= (uint64_t)__start_ms_runtime_calls_program &&
	       pc < (uint64_t)__stop_ms_runtime_calls_program;
}

bool ms_tracer_is_runtime_code(uint64_t pc)
{
	return is_program_caller(pc) ||
	       (pc >= (uint64_t)ms_runtime_text_start && pc < (uint64_t)ms_runtime_text_end &&
		!(pc >= (uint64_t)ms_interpose_text_start && pc < (uint64_t)ms_interpose_text_end));
}

/*
 * The pc is inside a function of the runtime. Either the program returns to it: it had called a
 * function of the program before the window opened. Or interpose.S calls it because the thread ran
 * natively at the time of its check.
 */
static bool returns_into_runtime(uint64_t pc)
{
	return is_program_caller(pc) && !ms_native_hooks.is_wrapper_call(pc);
}

static bool is_runtime_call(uint64_t pc)
{
	return pc != (uint64_t)&ms_tracer_close_window && ms_tracer_is_runtime_code(pc);
}

static void call_runtime(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	const uint8_t *arg = ms_tracer_function_arg_regs;
	uint64_t *r = w->regs, pc = w->pc, since = ms_tracer_begin_program_time(&w->work_time);

	ms_tracer_return_to_caller(w);
	if (pc != (uint64_t)&ms_tracer_open_window) /* the window is open already */
		r[MS_TRACER_REG_RESULT] = ((callee *)pc)(r[arg[0]], r[arg[1]], r[arg[2]], r[arg[3]],
							 r[arg[4]], r[arg[5]]);
	ms_tracer_exclude_program_time(&w->work_time, since);
}

/* --- continuing at w->pc --- */

/* The time of the translation is not the program's. */
static struct ms_tracer_block *translate(struct ms_runtime_thread *t, uint64_t key, uint32_t *why)
{
	struct ms_tracer_window *w = ms_tracer_leave_cache(t);
	struct ms_tracer_block *block;

	ms_maps_find_or_scan_module(
		t, w->pc); /* a library may have been mapped while nothing was traced */
	ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
	block = ms_tracer_translate_block(t, key, why);
	if (block != NULL)
		ms_tracer_enter_cache(w);
	ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
	w->work_time.disturbed = true;
	return block;
}

static bool is_recorded(const struct ms_runtime_thread *t)
{
	return t->sampled.code == MS_TRACER_CODE_RECORDS;
}

/* An allocator of the program begins at this pc, or returns to it. */
static void handle_private_allocator(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	struct ms_unwind_frame from = ms_tracer_get_caller_frame(w);
	uint64_t args[MS_ALLOCATOR_ARGS];

	for (uint32_t i = 0; i < MS_ALLOCATOR_ARGS; i++)
		args[i] = w->regs[ms_tracer_function_arg_regs[i]];
	ms_heap_handle_watched_pc(t, w->pc, w->regs[MS_TRACER_REG_SP], args,
				  w->regs[MS_TRACER_REG_RESULT], &from, is_recorded(t));
}

/* Functions with large variables on the stack are noticed in recorded code only. */
static void update_stack_names(struct ms_runtime_thread *t)
{
	if (!is_recorded(t)) {
		ms_heap_forget_stack_frames(t);
	} else if (!ms_heap_are_stack_frames_known(t)) {
		struct ms_unwind_frame now = ms_tracer_get_frame(ms_tracer_get_window(t));

		ms_heap_find_stack_frames(t, &now);
	}
}

/* The thread has entered a window: which calls it had made before is not known to the reader. */
static void report_calls(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	struct ms_unwind_frame now = ms_tracer_get_frame(w);

	t->sampled.entered = false;
	if (t->busy || ms_maps_is_other_unloading(t))
		return;
	t->busy = 1;
	ms_maps_find_or_scan_module(t, w->pc);
	now.interrupted = true;
	ms_unwind_report_calls(t, &now);
	t->busy = 0;
}

uint64_t ms_tracer_dispatch(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	struct ms_tracer_block *block;
	uint32_t why = 0;
	uint64_t key;

	const bool begins = t->traced == 0 || w->opening;

	if (begins) {
		ms_signals_block_hidden_signal(t);
		w->windows++;
		ms_heap_set_traced(true);
		ms_signals_install_altstack(t);
		ms_tracer_report_untraced_time(t, t);
		ms_heap_forget_stack_frames(t);
	}
	t->traced = 1;
	if (begins) /* not before: until now another thread could arm the timer */
		ms_signals_drop_hidden_signals(t);
	if (w->opening) {
		w->opening = false;
		ms_tracer_deliver_pending(t);
	}
	while (is_runtime_call(w->pc)) {
		if (returns_into_runtime(w->pc))
			ms_tracer_end_window(t, MS_TRACER_END_OWN);
		call_runtime(t);
	}
	do {
		if (w->pending != 0) /* only here: the handler must see a pc of the program */
			ms_tracer_deliver_held(t);
		/* The stream has no reader, or this part is not sampled. */
		if (!ms_runtime_active || ms_runtime_is_stream_closed() ||
		    (ms_runtime_config.period != 0 && !ms_native_hooks.may_continue(t)))
			ms_tracer_end_window(t, MS_TRACER_END_ASKED);
	} while (!ms_tracer_take_time_slice(t));
	if (t->sampled.entered)
		report_calls(t);
	ms_heap_end_disproved_name(t);
	update_stack_names(t);
	if (ms_heap_is_watched(w->pc, is_recorded(t)))
		handle_private_allocator(t);
	key = ms_tracer_make_key(w->pc, t->sampled.code);
	w->table = (uint64_t)ms_tracer_branch_tables[t->sampled.code];
	ms_tracer_enter_cache(w);
	block = ms_tracer_find_block(key);
	if (block == NULL)
		block = translate(t, key, &why);
	if (block == NULL)
		ms_tracer_end_window(t, why);
	return block->entry - MS_TRACER_BLOCK_RESUME;
}

struct ms_tracer_work_time *ms_tracer_get_work_time(struct ms_runtime_thread *t)
{
	return &ms_tracer_get_window(t)->work_time;
}

uint64_t ms_tracer_get_pc(const struct ms_runtime_thread *t)
{
	return ((const struct ms_tracer_window *)t->tracer)->pc;
}

uint64_t ms_tracer_handle_full_chunk(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_leave_cache(t);

	ms_runtime_restore_limit(t, w->held_limit);
	ms_tracer_check_for_spinning(t);
	if (t->lane.cursor >= t->limit && ms_runtime_config.period != 0)
		ms_native_hooks.chunk_filled(t);
	else if (t->lane.cursor >= t->limit && ms_runtime_takes_turns() && ms_tracer_is_spinning(t))
		ms_runtime_end_chunk(t);
	else if (t->lane.cursor >= t->limit)
		ms_runtime_finish_full_chunk(t);
	return ms_tracer_dispatch(t);
}

/* For code that only counts: the time in C is not the program's. */
static uint64_t dispatch_after_work(struct ms_runtime_thread *t)
{
	uint64_t at = ms_tracer_dispatch(t);

	ms_tracer_end_work(&ms_tracer_get_window(t)->work_time);
	return at;
}

uint64_t ms_tracer_handle_unlinked_branch(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);
	struct ms_tracer_link link = *ms_tracer_get_link((uint32_t)w->arg);
	uint64_t inside = w->inside;
	struct ms_tracer_block *block;
	uint32_t why;

	ms_tracer_begin_work(&w->work_time);
	ms_tracer_leave_cache(t);
	w->pc = ms_tracer_get_key_pc(link.target);
	if (!ms_tracer_is_runtime_code(w->pc)) {
		ms_maps_find_or_scan_module(t, w->pc); /* as in translate() */
		ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
		ms_tracer_set_emit_hint(&link);
		block = ms_tracer_translate_block(t, link.target, &why);
		ms_tracer_set_emit_hint(NULL);
		if (block != NULL && ms_tracer_is_current_half(inside) &&
		    !ms_heap_is_watched(w->pc, ms_tracer_is_recording_key(link.target))) {
			ms_tracer_patch_link(&link, block);
			ms_tracer_stats.links++;
		}
		ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
		w->work_time.disturbed = true;
	}
	return dispatch_after_work(t);
}

uint64_t ms_tracer_handle_branch_miss(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_leave_cache(t);
	struct ms_tracer_block *block;
	uint32_t why;

	ms_tracer_begin_work(&w->work_time);
	w->pc = w->target;
	w->misses++;
	if (!ms_tracer_is_runtime_code(w->pc)) {
		ms_maps_find_or_scan_module(t, w->pc);
		ms_runtime_lock(MS_RUNTIME_LOCK_TRACER);
		block = ms_tracer_translate_block(t, ms_tracer_make_key(w->pc, t->sampled.code),
						  &why);
		if (block != NULL && !ms_heap_is_watched(w->pc, is_recorded(t)))
			ms_tracer_set_branch_target(w->pc, block);
		ms_runtime_unlock(MS_RUNTIME_LOCK_TRACER);
		w->work_time.disturbed = true;
	}
	return dispatch_after_work(t);
}

/* The code at w->pc differs from the code that its block was made of. */
uint64_t ms_tracer_handle_changed_code(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_leave_cache(t);

	ms_tracer_retranslate_jit_block(t, ms_tracer_make_key(w->pc, t->sampled.code));
	w->work_time.disturbed = true;
	return ms_tracer_dispatch(t);
}

/* w->pc is at a system call or a request. */
uint64_t ms_tracer_handle_syscall(struct ms_runtime_thread *t)
{
	struct ms_tracer_window *w = ms_tracer_leave_cache(t);

	ms_tracer_begin_work(&w->work_time);
	if (ms_tracer_is_syscall_at(w->pc)) {
		ms_tracer_run_syscall(t);
	} else {
		const struct ms_unwind_frame frame = ms_tracer_get_frame(w);

		w->regs[MS_TRACER_REQUEST_RESULT] = ms_syscalls_handle_client_request(
			t, (const uint64_t *)w->regs[MS_TRACER_REQUEST_ARGS], &frame, false);
		w->pc += MS_TRACER_REQUEST_BYTES;
	}
	return dispatch_after_work(t);
}
