/*
 * window.c - opens and ends windows, and implements what generated code calls C for: a full chunk,
 * a branch that is not linked yet, an indirect branch that is not in the table, system calls and
 * requests.
 *
 * C runs on its own stack, with the program's registers in struct ms_window, and leaves vector
 * registers unchanged. A signal that arrives meanwhile is delivered before the program continues.
 */
#include "tracer/window.h"

#include "allocators.h"
#include "altstack.h"
#include "arch.h"
#include "heap/heap.h"
#include "interpose/interpose.h"
#include "maps/maps.h"
#include "runtime.h"
#include "runtime/config.h"
#include "runtime/lanes.h"
#include "runtime/libc_substitutes.h"
#include "runtime/locks.h"
#include "runtime/thread_state.h"
#include "sample.h"
#include "sys.h"
#include "syscalls/syscalls.h"
#include "timer.h"
#include "tracer.h"
#include "tracer/arch_priv.h"
#include "tracer/block_descriptions.h"
#include "tracer/code_cache.h"
#include "tracer/signal_delivery.h"
#include "turns.h"
#include "unwind/unwind.h"

struct ms_thread *ms_window_all; /* threads that have ever been traced */

void ms_tracer_thread(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);

	w->stack = ((uint64_t)t->tracer + MS_TRACER_BYTES - 64) & ~UINT64_C(15);
	w->table = (uint64_t)ms_cache_table[MS_CODE_RECORDS];
	ms_context_glue(w);
	w->tid = (uint64_t)ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0);
	ms_altstack_install(t);
	ms_lock(MS_LOCK_TRACER);
	w->next = ms_window_all;
	ms_window_all = t;
	ms_unlock(MS_LOCK_TRACER);
}

void ms_tracer_thread_end(struct ms_thread *t)
{
	struct ms_thread **at = &ms_window_all;

	ms_lock(MS_LOCK_TRACER);
	while (*at != NULL && *at != t)
		at = &ms_window_of(*at)->next;
	if (*at == t)
		*at = ms_window_of(t)->next;
	ms_unlock(MS_LOCK_TRACER);
}

bool ms_tracer_start(void)
{
	if (!ms_processor_start())
		return false;
	if (!ms_cache_start() || !ms_groups_start()) {
		ms_say("memspy: no memory for translated code%s",
		       MS_CODE_MAP != 0 ? " below 2 GiB" : "");
		return false;
	}
	ms_emit_start();
	ms_cache_begin();
	ms_signals_start();
	return true;
}

void ms_tracer_forget(uint64_t start, uint64_t size)
{
	ms_lock(MS_LOCK_TRACER);
	if (!ms_lock_is_abandoned()) {
		ms_cache_forget(start, start + size);
		ms_decode_forget();
		ms_block_forget();
	}
	ms_unlock(MS_LOCK_TRACER);
}

void ms_tracer_watch(uint64_t pc)
{
	ms_lock(MS_LOCK_TRACER);
	if (!ms_lock_is_abandoned())
		ms_cache_forget_at(pc);
	ms_unlock(MS_LOCK_TRACER);
}

void ms_tracer_forked(struct ms_thread *t)
{
	ms_window_all = t;
	ms_window_of(t)->next = NULL;
	ms_window_of(t)->tid = (uint64_t)ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0);
	ms_again_forked(t);
	ms_tracer_forget(0, UINT64_MAX);
}

void ms_tracer_count(struct ms_tracer_stats *stats)
{
	*stats = ms_tracer_stats;
	for (struct ms_thread *t = ms_window_all; t != NULL; t = ms_window_of(t)->next) {
		const struct ms_window *w = ms_window_of(t);

		stats->windows += w->windows;
		stats->misses += w->misses;
		stats->signals += w->signals;
		stats->held += w->holds;
		stats->faults += w->faults;
		stats->calls += w->calls;
		for (uint32_t i = 0; i < MS_END_KINDS; i++)
			stats->ends[i] += w->ends[i];
	}
}

void ms_tracer_look(struct ms_thread *t)
{
	if (t->limit != 0)
		ms_window_of(t)->held_limit = t->limit;
	t->limit = 0;
}

/* The thread is in C: the cache may change meanwhile. */
struct ms_window *ms_window_come_out(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);

	__atomic_store_n(&w->inside, 0, __ATOMIC_SEQ_CST);
	return w;
}

bool ms_window_wait_for(uint64_t time)
{
	enum { TRIES = 1000 };
	static const int64_t a_while[2] = { 0, 100000 };
	struct ms_thread *t = ms_window_all;

	for (uint32_t tries = 0; t != NULL && tries < TRIES;) {
		uint64_t inside = __atomic_load_n(&ms_window_of(t)->inside, __ATOMIC_SEQ_CST);

		if (inside == 0 || inside >= time) {
			t = ms_window_of(t)->next;
			continue;
		}
		tries++;
		ms_sys(__NR_nanosleep, (long)a_while, 0, 0, 0, 0, 0);
	}
	return t == NULL;
}

_Noreturn void ms_window_end(struct ms_thread *t, uint32_t why)
{
	struct ms_window *w = ms_window_of(t);

	w->ends[why]++;
	ms_blind_begin(t, why);
	ms_window_come_out(t);
	w->ended_early = why != MS_END_ASKED && ms_config.period == 0;
	if (ms_config.period != 0)
		ms_sample_left(t, why != MS_END_ASKED);
	ms_turn_leave(t);
	ms_signals_release(t);
	ms_leave(t);
}

/* --- functions of the runtime that traced code calls: C calls them natively --- */

typedef uint64_t callee(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

static bool calls_out(uint64_t pc)
{
	return pc >= (uint64_t)__start_ms_calls_out && pc < (uint64_t)__stop_ms_calls_out;
}

bool ms_window_is_ours(uint64_t pc)
{
	return calls_out(pc) ||
	       (pc >= (uint64_t)ms_runtime_text && pc < (uint64_t)ms_runtime_text_end &&
		!(pc >= (uint64_t)ms_wrap_start && pc < (uint64_t)ms_wrap_end));
}

/*
 * The pc is inside a function of the runtime. Either the program returns to it: it had called a
 * function of the program before the window opened. Or wrap.S calls it because the thread ran
 * natively at the time of its check.
 */
static bool goes_on(uint64_t pc)
{
	return calls_out(pc) && pc != (uint64_t)&ms_untraced_call;
}

static bool calls_us(uint64_t pc)
{
	return pc != (uint64_t)&ms_tracer_leave && ms_window_is_ours(pc);
}

static void call_out(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	const uint8_t *arg = ms_reg_function;
	uint64_t *r = w->regs, pc = w->pc, since = ms_counter();

	ms_context_return(w);
	if (pc != (uint64_t)&ms_tracer_enter) /* the window is open already */
		r[MS_REG_RESULT] = ((callee *)pc)(r[arg[0]], r[arg[1]], r[arg[2]], r[arg[3]],
						  r[arg[4]], r[arg[5]]);
	ms_sample_not_own(t, since);
}

/* --- continuing at w->pc --- */

/* The time of the translation is not the program's. */
static struct ms_block *translate(struct ms_thread *t, uint64_t key, uint32_t *why)
{
	struct ms_window *w = ms_window_come_out(t);
	struct ms_block *block;

	ms_maps_find(t, w->pc); /* a library may have been mapped while nothing was traced */
	ms_lock(MS_LOCK_TRACER);
	block = ms_translate(t, key, why);
	if (block != NULL)
		ms_cache_enter(w);
	ms_unlock(MS_LOCK_TRACER);
	ms_sample_disturb(t);
	return block;
}

/* An allocator of the program begins at this pc, or returns to it. */
static void pass_allocator(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_frame from = ms_context_caller(w);
	uint64_t args[MS_HEAP_ARGS];

	for (uint32_t i = 0; i < MS_HEAP_ARGS; i++)
		args[i] = w->regs[ms_reg_function[i]];
	ms_own_pass(t, w->pc, w->regs[MS_REG_SP], args, w->regs[MS_REG_RESULT], &from);
}

uint64_t ms_window_go(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_block *block;
	uint32_t why = 0;
	uint64_t key;

	if (t->traced == 0 || w->opening) {
		ms_disguise_opens(t);
		w->windows++;
		ms_plain_trace(true);
		ms_altstack_install(t);
		ms_blind_tell(t, t);
	}
	t->traced = 1;
	if (w->opening) {
		w->opening = false;
		ms_deliver_program(t);
	}
	while (calls_us(w->pc)) {
		if (goes_on(w->pc))
			ms_window_end(t, MS_END_OWN);
		call_out(t);
	}
	do {
		if (w->pending != 0) /* only here: the handler must see a pc of the program */
			ms_signals_deliver(t);
		/* The stream has no reader, or this part is not sampled. */
		if (!ms_on || ms_lane_closed() || (ms_config.period != 0 && !ms_sample_go(t)))
			ms_window_end(t, MS_END_ASKED);
	} while (!ms_turn_take(t));
	if (ms_own_watches(w->pc))
		pass_allocator(t);
	key = ms_key(w->pc, t->sampled.code);
	w->table = (uint64_t)ms_cache_table[t->sampled.code];
	ms_cache_enter(w);
	block = ms_cache_find(key);
	if (block == NULL)
		block = translate(t, key, &why);
	if (block == NULL)
		ms_window_end(t, why);
	return block->entry - MS_BLOCK_RESUME;
}

uint64_t ms_tracer_pc(const struct ms_thread *t)
{
	return ((const struct ms_window *)t->tracer)->pc;
}

uint64_t ms_window_full(struct ms_thread *t)
{
	struct ms_window *w = ms_window_come_out(t);

	if (t->limit == 0)
		t->limit = w->held_limit;
	ms_turn_full(t);
	if (t->lane.cursor >= t->limit && ms_config.period != 0)
		ms_sample_full(t);
	else if (t->lane.cursor >= t->limit)
		ms_lane_full(t);
	return ms_window_go(t);
}

/* For code that only counts: the time in C is not the program's. */
static uint64_t go_from_work(struct ms_thread *t)
{
	uint64_t at = ms_window_go(t);

	ms_sample_worked(t);
	return at;
}

uint64_t ms_window_link(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_link link = *ms_cache_link_at((uint32_t)w->arg);
	uint64_t inside = w->inside;
	struct ms_block *block;
	uint32_t why;

	ms_sample_works(t);
	ms_window_come_out(t);
	w->pc = ms_key_pc(link.target);
	if (!ms_window_is_ours(w->pc)) {
		ms_maps_find(t, w->pc); /* as in translate() */
		ms_lock(MS_LOCK_TRACER);
		ms_emit_for(&link);
		block = ms_translate(t, link.target, &why);
		ms_emit_for(NULL);
		if (block != NULL && ms_cache_is_new(inside) && !ms_own_watches(w->pc)) {
			ms_emit_link(&link, block);
			ms_tracer_stats.links++;
		}
		ms_unlock(MS_LOCK_TRACER);
		ms_sample_disturb(t);
	}
	return go_from_work(t);
}

uint64_t ms_window_miss(struct ms_thread *t)
{
	struct ms_window *w = ms_window_come_out(t);
	struct ms_block *block;
	uint32_t why;

	ms_sample_works(t);
	w->pc = w->target;
	w->misses++;
	if (!ms_window_is_ours(w->pc)) {
		ms_maps_find(t, w->pc);
		ms_lock(MS_LOCK_TRACER);
		block = ms_translate(t, ms_key(w->pc, t->sampled.code), &why);
		if (block != NULL && !ms_own_watches(w->pc))
			ms_cache_aim(w->pc, block);
		ms_unlock(MS_LOCK_TRACER);
		ms_sample_disturb(t);
	}
	return go_from_work(t);
}

/* The code at w->pc differs from the code that its block was made of. */
uint64_t ms_window_changed(struct ms_thread *t)
{
	struct ms_window *w = ms_window_come_out(t);

	ms_made_changed(t, ms_key(w->pc, t->sampled.code));
	ms_sample_disturb(t);
	return ms_window_go(t);
}

/* w->pc is at a system call or a request. */
uint64_t ms_window_call(struct ms_thread *t)
{
	struct ms_window *w = ms_window_come_out(t);

	ms_sample_works(t);
	if (ms_context_is_call(w->pc)) {
		ms_calls_run(t);
	} else {
		const struct ms_frame frame = ms_context_frame(w);

		w->regs[MS_REQUEST_RESULT] =
			ms_request(t, (const uint64_t *)w->regs[MS_REQUEST_ARGS], &frame, false);
		w->pc += MS_REQUEST_BYTES;
	}
	return go_from_work(t);
}
