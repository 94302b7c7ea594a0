/*
 * window.c - the life of a window, and what generated code calls C for: a full chunk, a branch that
 * is not linked yet, an indirect one that was not found, system calls and requests.
 *
 * C runs on a stack of its own, with the program's registers in struct ms_window, and leaves vector
 * registers alone. A signal that came meanwhile is delivered before the program goes on.
 */
#include "tracer_priv.h"

static struct ms_thread *all; /* that have ever been traced */

void ms_tracer_thread(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);

	w->stack = (uint64_t)t->tracer + MS_TRACER_BYTES - 64;
	w->glue[MS_GLUE_FULL] = (uint64_t)ms_glue_full;
	w->glue[MS_GLUE_LINK] = (uint64_t)ms_glue_link;
	w->glue[MS_GLUE_MISS] = (uint64_t)ms_glue_miss;
	w->glue[MS_GLUE_GO] = (uint64_t)ms_glue_go;
	w->glue[MS_GLUE_CALL] = (uint64_t)ms_glue_call;
	w->glue[MS_GLUE_SLOW] = (uint64_t)ms_glue_slow;
	w->glue[MS_GLUE_CLONED] = (uint64_t)ms_clone_done;
	w->tid = (uint64_t)ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0);
	ms_lock(&ms_tracer_lock);
	w->next = all;
	all = t;
	ms_unlock(&ms_tracer_lock);
}

void ms_tracer_thread_end(struct ms_thread *t)
{
	struct ms_thread **at = &all;

	ms_lock(&ms_tracer_lock);
	while (*at != NULL && *at != t)
		at = &ms_window_of(*at)->next;
	if (*at == t)
		*at = ms_window_of(t)->next;
	ms_unlock(&ms_tracer_lock);
}

bool ms_tracer_start(void)
{
	if (!ms_cache_start()) {
		ms_say("no memory below 2 GiB for translated code\n");
		return false;
	}
	ms_emit_start();
	ms_decode_start();
	ms_signals_start();
	return true;
}

void ms_tracer_forget(uint64_t start, uint64_t size)
{
	ms_lock(&ms_tracer_lock);
	ms_cache_forget(start, start + size);
	ms_decode_forget();
	ms_unlock(&ms_tracer_lock);
}

void ms_tracer_forked(struct ms_thread *t)
{
	ms_tracer_lock = (struct ms_lock){ 0 };
	all = t;
	ms_window_of(t)->next = NULL;
	ms_window_of(t)->tid = (uint64_t)ms_sys(__NR_gettid, 0, 0, 0, 0, 0, 0);
	ms_again_forked(t);
	ms_tracer_forget(0, UINT64_MAX);
}

void ms_tracer_count(struct ms_tracer_stats *stats)
{
	*stats = ms_tracer_stats;
	for (struct ms_thread *t = all; t != NULL; t = ms_window_of(t)->next) {
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

uint64_t ms_window_end(struct ms_thread *t, uint32_t why)
{
	struct ms_window *w = ms_window_of(t);

	w->ends[why]++;
	t->traced = 0;
	ms_other_close(w);
	if (why != MS_END_ASKED && why != MS_END_FULL)
		ms_again_arm(t);
	return w->pc;
}

/* --- functions of the runtime that traced code calls: they run natively, from here --- */

typedef uint64_t callee(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

bool ms_window_is_ours(uint64_t pc)
{
	return pc >= (uint64_t)ms_runtime_text && pc < (uint64_t)ms_runtime_text_end &&
	       !(pc >= (uint64_t)ms_wrap_start && pc < (uint64_t)ms_wrap_end);
}

static void call_out(struct ms_window *w)
{
	uint64_t *r = w->regs, pc = w->pc;

	w->pc = *(uint64_t *)r[RSP];
	r[RSP] += 8;
	if (pc != (uint64_t)&ms_tracer_enter) /* that is so already */
		r[RAX] = ((callee *)pc)(r[RDI], r[RSI], r[RDX], r[RCX], r[R8], r[R9]);
}

/* --- going on at w->pc --- */

uint64_t ms_window_go(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_block *block;
	uint32_t why = 0;

	if (t->traced == 0) {
		w->windows++;
		ms_other_open(w);
	}
	t->traced = 1;
	ms_other_left(w);
	for (;;) {
		if (w->pending != 0)
			ms_signals_deliver(t);
		if (w->pc == (uint64_t)&ms_tracer_leave || !ms_window_is_ours(w->pc))
			break;
		call_out(w);
	}
	if (!ms_on) /* nobody reads */
		return ms_window_end(t, MS_END_ASKED);
	block = ms_cache_find(w->pc);
	if (block == NULL) {
		ms_lock(&ms_tracer_lock);
		block = ms_translate(t, w->pc, &why);
		ms_unlock(&ms_tracer_lock);
	}
	return block != NULL ? block->entry : ms_window_end(t, why);
}

uint64_t ms_window_full(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);

	if (t->limit == 0)
		t->limit = w->held_limit;
	if (t->lane.cursor >= t->limit)
		ms_lane_full(t);
	return ms_window_go(t);
}

uint64_t ms_window_link(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_link *link = ms_cache_link_at((uint32_t)w->arg);
	struct ms_block *block;
	uint32_t why;

	w->pc = link->target;
	if (!ms_window_is_ours(w->pc)) {
		ms_lock(&ms_tracer_lock);
		ms_emit_hint = link->b;
		ms_emit_level = link->level;
		block = ms_translate(t, w->pc, &why);
		ms_emit_hint = NO_REG;
		if (block != NULL) {
			ms_emit_link(link, block);
			ms_tracer_stats.links++;
		}
		ms_unlock(&ms_tracer_lock);
	}
	return ms_window_go(t);
}

uint64_t ms_window_miss(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_block *block;
	uint32_t why;

	w->pc = w->target;
	w->misses++;
	if (!ms_window_is_ours(w->pc)) {
		ms_lock(&ms_tracer_lock);
		block = ms_translate(t, w->pc, &why);
		if (block != NULL)
			ms_cache_aim(w->pc, block);
		ms_unlock(&ms_tracer_lock);
	}
	return ms_window_go(t);
}

/* A system call or a request stands at w->pc. */
uint64_t ms_window_call(struct ms_thread *t)
{
	struct ms_window *w = ms_window_of(t);

	if (*(const uint8_t *)w->pc == 0x0f) {
		ms_calls_run(t);
	} else {
		w->regs[RDX] = ms_request(t, (const uint64_t *)w->regs[RAX]);
		w->pc += 3;
	}
	return ms_window_go(t);
}
