/*
 * stack_cache.c - return addresses from here to the stack's end, as far as possible without
 * unwinding.
 *
 * From one allocation to the next most of a stack stays unchanged. A step from a function to its
 * caller is determined by the registers there and by few words of the stack. If both are the same
 * as the last time, and so are the words of all outer steps, the callers are the same. So first the
 * words are compared, from the outermost on. Then the stack is unwound until it reaches a known
 * call with the same registers, with all outer words unchanged. Nothing is assumed to be the same
 * without a comparison.
 *
 * The relevant registers are the stack pointer, and the frame pointer where an address depends on
 * it. Steps of another kind (a signal frame, an expression, another stack) are computed again each
 * time, and so are all steps inside them.
 */
#include "unwind/stack_cache.h"

#include "callee_saved.h"
#include "interpose/interpose.h"
#include "runtime/thread_state.h"
#include "unwind/unwind.h"
#include "unwind/unwinder.h"

enum { END = MS_UNWIND_MAX_DEPTH, WORDS_END = MS_UNWIND_MAX_STACK_WORDS };

/* The innermost word from which on all are unchanged; words below sp are unused. */
static uint32_t find_first_unchanged(const struct ms_unwind_cached_stack *s, uint64_t sp)
{
	uint32_t i = WORDS_END;

	while (i > s->first_word && s->words[i - 1].at >= sp &&
	       *(const uint64_t *)s->words[i - 1].at == s->words[i - 1].value)
		i--;
	return i;
}

/* --- unwinding --- */

struct stack_search {
	uint32_t call; /* the next one that may be reached, END: none */
	uint32_t words;
};

static struct stack_search begin_search(const struct ms_runtime_thread *t,
					const struct ms_unwind_cached_stack *s, uint64_t sp)
{
	if (s->generation != ms_unwind_get_generation() || s->end != t->stack_end ||
	    sp < t->stack || sp >= t->stack_end)
		return (struct stack_search){ END, WORDS_END };
	return (struct stack_search){ s->known_call, find_first_unchanged(s, sp) };
}

/* Whether the step's call is a known one, with all outer calls unchanged. */
static bool is_known_call(const struct ms_unwind_cached_stack *s, struct stack_search *search,
			  const struct ms_unwind_stack_step *step)
{
	const struct ms_unwind_cached_call *call = &s->calls[search->call];

	for (; search->call < END; search->call++, call++)
		if (call->sp >= step->sp && call->words >= search->words)
			break;
	return search->call < END && step->simple && call->sp == step->sp &&
	       call->slot == step->link.at && s->pcs[search->call] == step->pc &&
	       (!call->by_fp || call->fp == step->fp);
}

static bool is_interposer(uint64_t pc)
{
	return pc - (uint64_t)ms_interpose_text_start <
	       (uint64_t)(ms_interpose_text_end - ms_interpose_text_start);
}

static void record_step(struct ms_unwind_stack_step *step, const struct ms_unwind_walk *w)
{
	uint64_t pc = w->regs[MS_UNWIND_CFI_PC], fp = w->regs[MS_UNWIND_CFI_FP];

	*step = (struct ms_unwind_stack_step){ .pc = pc,
					       .sp = w->regs[MS_UNWIND_CFI_SP],
					       .fp = fp,
					       .link = { w->slot, w->return_word },
					       .saved_fp = { w->saved_fp, fp },
					       .simple = w->simple,
					       .by_fp = w->by_fp,
					       .is_own = w->is_end || is_interposer(pc) };
}

struct found {
	uint32_t steps, calls;
	uint32_t known_call; /* the known call that the last step reached; END: none */
	bool simple, by_fp;  /* how the end was recognised */
};

/* The steps from here to a known call or the end; the last one may lead nowhere. */
static struct found walk(struct ms_runtime_thread *t, struct ms_unwind_cached_stack *s,
			 const struct ms_unwind_frame *from, struct stack_search search, uint32_t n)
{
	struct ms_unwind_walk w;
	struct found f = { .known_call = END };

	if (!ms_unwind_begin_walk(t, &w, from))
		return f;
	while (f.calls < n && f.steps < MS_UNWIND_MAX_STEPS) {
		struct ms_unwind_stack_step *step = &s->steps[f.steps];

		if (!ms_unwind_step_to_caller(t, &w)) {
			f.simple = w.simple;
			f.by_fp = w.by_fp;
			break;
		}
		record_step(step, &w);
		f.steps++;
		if (w.is_end) {
			f.simple = true;
			break;
		}
		if (is_known_call(s, &search, step) && f.calls + END - search.call <= n) {
			f.known_call = search.call;
			break;
		}
		f.calls += !step->is_own;
	}
	return f;
}

/* --- keeping --- */

static bool same_words(const uint64_t *a, const uint64_t *b, uint32_t n)
{
	while (n > 0 && a[n - 1] == b[n - 1])
		n--;
	return n == 0;
}

bool ms_unwind_begins_with_cycle(const uint64_t *path, uint32_t n)
{
	for (uint32_t k = 1; k <= MS_UNWIND_MAX_CYCLE && 2 * k <= n; k++)
		if (path[0] == path[k] && same_words(path, path + k, k))
			return true;
	return false;
}

static void add_call(struct ms_unwind_cached_stack *s, const struct ms_unwind_stack_step *step,
		     bool by_fp)
{
	uint32_t at = --s->first;
	const struct ms_unwind_cached_call *outer = at + 1 < END ? &s->calls[at + 1] : NULL;

	s->pcs[at] = step->pc;
	s->calls[at] = (struct ms_unwind_cached_call){
		.slot = step->link.at,
		.sp = step->sp,
		.fp = step->fp,
		.hash = ms_unwind_hash_path(outer != NULL ? outer->hash : 0, step->pc),
		.words = (uint16_t)s->first_word,
		.by_fp = by_fp,
		.repeats = (outer != NULL && outer->repeats) ||
			   ms_unwind_begins_with_cycle(&s->pcs[at], END - at),
	};
}

/* The words of the stack that the step depends on; by_fp: where its caller's frame pointer is
 * relevant. */
static void add_words(struct ms_unwind_cached_stack *s, const struct ms_unwind_stack_step *step,
		      bool by_fp)
{
	s->words[--s->first_word] = step->link;
	if (step->simple && step->saved_fp.at != 0 && by_fp)
		s->words[--s->first_word] = step->saved_fp;
}

static bool is_within(const struct ms_runtime_thread *t, const struct ms_unwind_stack_step *step)
{
	return step->link.at >= t->stack && step->link.at < t->stack_end;
}

/* From the outermost inwards, before those that stay. */
static void update_stack(const struct ms_runtime_thread *t, struct ms_unwind_cached_stack *s,
			 const struct found *f)
{
	bool known = f->known_call != END, can_be_reused = known || f->simple;
	bool by_fp = known ? s->calls[f->known_call].by_fp : f->by_fp;

	s->known = true;
	s->first = s->known_call = f->known_call;
	s->first_word = known ? s->calls[f->known_call].words : WORDS_END;
	for (uint32_t i = f->steps; i-- > 0;) {
		const struct ms_unwind_stack_step *step = &s->steps[i];
		bool is_known_step = known && i == f->steps - 1;

		s->known = s->known && is_within(t, step) && s->first_word >= 2;
		can_be_reused = can_be_reused && step->simple && s->known;
		if (!step->is_own && !is_known_step)
			add_call(s, step, by_fp);
		if (can_be_reused)
			s->known_call = s->first;
		if (s->known)
			add_words(s, step, by_fp);
		by_fp = !step->simple || step->by_fp || (by_fp && step->saved_fp.at == 0);
	}
	s->by_fp = by_fp;
}

void ms_unwind_unwind_stack(struct ms_runtime_thread *t, struct ms_unwind_cached_stack *s,
			    const struct ms_unwind_frame *from, uint32_t n)
{
	uint32_t generation = ms_unwind_get_generation();
	struct found f = walk(t, s, from, begin_search(t, s, from->sp), n);

	s->generation = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	update_stack(t, s, &f);
	s->cut = END - s->first == n;
	s->end = t->stack_end;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	s->generation = generation;
}
