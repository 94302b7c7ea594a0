/*
 * stack.c - return addresses from here to the stack's end, as far as possible without unwinding.
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
#include "stack.h"

#include "interpose/interpose.h"
#include "kept.h"
#include "runtime/thread_state.h"
#include "unwind.h"
#include "unwind/unwind.h"

enum { END = MS_PATH_DEEPEST, WORDS_END = MS_STACK_WORDS };

/* The innermost word from which on all are unchanged; words below sp are unused. */
static uint32_t compare(const struct ms_stack *s, uint64_t sp)
{
	uint32_t i = WORDS_END;

	while (i > s->first_word && s->words[i - 1].at >= sp &&
	       *(const uint64_t *)s->words[i - 1].at == s->words[i - 1].value)
		i--;
	return i;
}

/* --- unwinding --- */

struct search {
	uint32_t call; /* the next one that may be reached, END: none */
	uint32_t words;
};

static struct search begin_search(const struct ms_thread *t, const struct ms_stack *s, uint64_t sp)
{
	if (s->generation != ms_unwind_generation() || s->end != t->stack_end || sp < t->stack ||
	    sp >= t->stack_end)
		return (struct search){ END, WORDS_END };
	return (struct search){ s->met, compare(s, sp) };
}

/* Whether the step's call is a known one, with all outer calls unchanged. */
static bool meets(const struct ms_stack *s, struct search *search, const struct ms_stack_step *step)
{
	const struct ms_call_frame *call = &s->calls[search->call];

	for (; search->call < END; search->call++, call++)
		if (call->sp >= step->sp && call->words >= search->words)
			break;
	return search->call < END && step->simple && call->sp == step->sp &&
	       call->slot == step->link.at && s->pcs[search->call] == step->pc &&
	       (!call->by_fp || call->fp == step->fp);
}

static bool is_own(uint64_t pc)
{
	return pc - (uint64_t)ms_wrap_start < (uint64_t)(ms_wrap_end - ms_wrap_start);
}

static void note(struct ms_stack_step *step, const struct ms_walk *w)
{
	uint64_t pc = w->regs[MS_CFI_PC], fp = w->regs[MS_CFI_FP];

	*step = (struct ms_stack_step){ .pc = pc & MS_CODE_BITS,
					.sp = w->regs[MS_CFI_SP],
					.fp = fp,
					.link = { w->slot, pc },
					.saved_fp = { w->saved_fp, fp },
					.simple = w->simple,
					.by_fp = w->by_fp,
					.is_own = is_own(pc & MS_CODE_BITS) };
}

struct found {
	uint32_t steps, calls;
	uint32_t met;       /* the known call that the last step reached; END: none */
	bool simple, by_fp; /* how the end was recognised */
};

/* The steps from here to a known call or the end; the last one may lead nowhere. */
static struct found walk(struct ms_thread *t, struct ms_stack *s, const struct ms_frame *from,
			 struct search search, uint32_t n)
{
	struct ms_walk w;
	struct found f = { .met = END };

	if (!ms_unwind_begin(t, &w, from))
		return f;
	while (f.calls < n && f.steps < MS_STACK_STEPS) {
		struct ms_stack_step *step = &s->steps[f.steps];
		uint64_t sp = w.regs[MS_CFI_SP];
		bool is_leaf = w.link != 0;

		if (!ms_unwind_step(t, &w)) {
			f.simple = w.simple;
			f.by_fp = w.by_fp;
			break;
		}
		note(step, &w);
		f.steps++;
		w.link = 0;
		w.regs[MS_CFI_PC] = step->pc;
		if (step->pc == 0 || step->sp < sp + !is_leaf) {
			step->is_own = true; /* not a call of the program */
			f.simple = true;
			break;
		}
		if (meets(s, &search, step) && f.calls + END - search.call <= n) {
			f.met = search.call;
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

bool ms_path_repeats(const uint64_t *path, uint32_t n)
{
	for (uint32_t k = 1; k <= MS_PATH_CYCLE && 2 * k <= n; k++)
		if (path[0] == path[k] && same_words(path, path + k, k))
			return true;
	return false;
}

static void add_call(struct ms_stack *s, const struct ms_stack_step *step, bool by_fp)
{
	uint32_t at = --s->first;
	const struct ms_call_frame *outer = at + 1 < END ? &s->calls[at + 1] : NULL;

	s->pcs[at] = step->pc;
	s->calls[at] = (struct ms_call_frame){
		.slot = step->link.at,
		.sp = step->sp,
		.fp = step->fp,
		.hash = ms_path_hash(outer != NULL ? outer->hash : 0, step->pc),
		.words = (uint16_t)s->first_word,
		.by_fp = by_fp,
		.repeats =
			(outer != NULL && outer->repeats) || ms_path_repeats(&s->pcs[at], END - at),
	};
}

/* The words of the stack that the step depends on; by_fp: where its caller's frame pointer is
 * relevant. */
static void add_words(struct ms_stack *s, const struct ms_stack_step *step, bool by_fp)
{
	s->words[--s->first_word] = step->link;
	if (step->simple && step->saved_fp.at != 0 && by_fp)
		s->words[--s->first_word] = step->saved_fp;
}

static bool is_within(const struct ms_thread *t, const struct ms_stack_step *step)
{
	return step->link.at >= t->stack && step->link.at < t->stack_end;
}

/* From the outermost inwards, before those that stay. */
static void keep(const struct ms_thread *t, struct ms_stack *s, const struct found *f)
{
	bool known = f->met != END, can_meet = known || f->simple;
	bool by_fp = known ? s->calls[f->met].by_fp : f->by_fp;

	s->known = true;
	s->first = s->met = f->met;
	s->first_word = known ? s->calls[f->met].words : WORDS_END;
	for (uint32_t i = f->steps; i-- > 0;) {
		const struct ms_stack_step *step = &s->steps[i];
		bool is_met = known && i == f->steps - 1;

		s->known = s->known && is_within(t, step) && s->first_word >= 2;
		can_meet = can_meet && step->simple && s->known;
		if (!step->is_own && !is_met)
			add_call(s, step, by_fp);
		if (can_meet)
			s->met = s->first;
		if (s->known)
			add_words(s, step, by_fp);
		by_fp = !step->simple || step->by_fp || (by_fp && step->saved_fp.at == 0);
	}
	s->by_fp = by_fp;
}

void ms_stack_unwind(struct ms_thread *t, struct ms_stack *s, const struct ms_frame *from,
		     uint32_t n)
{
	uint32_t generation = ms_unwind_generation();
	struct found f = walk(t, s, from, begin_search(t, s, from->sp), n);

	s->generation = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	keep(t, s, &f);
	s->cut = END - s->first == n;
	s->end = t->stack_end;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	s->generation = generation;
}
