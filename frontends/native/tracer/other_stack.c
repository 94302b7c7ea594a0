/*
 * other_stack.c - the stack that the program has set aside for signal handlers (sigaltstack).
 *
 * C runs on a stack of its own. The kernel, which looks at the stack pointer, would take the other
 * stack for free while a handler of the program runs there and calls C, and would put the next
 * signal's frame over the handler's. So the kernel is told to forget the other stack as long as a
 * handler is on it (SS_AUTODISARM), and told anew when it returns. A handler that is left by
 * longjmp does not return: the next time that C is called from elsewhere, the kernel is told then.
 *
 * Frames that a handler sees, and may return by when the window is over, name the other stack as
 * they would natively.
 */
#include "tracer_priv.h"

#include "aside.h"

enum { ON_STACK = MS_ASIDE_ON, DISABLE = MS_ASIDE_NONE, NOT_PERMITTED = -1 };
enum { UC_STACK_START = 2, UC_STACK_FLAGS = 3, UC_STACK_SIZE = 4 };
static const uint32_t autodisarm = 1u << 31;
static const struct ms_aside none = { .flags = DISABLE };

static bool is_on(const struct ms_window *w, uint64_t address)
{
	return address > w->other_start && address - w->other_start <= w->other_size;
}

static void arm(struct ms_window *w, uint32_t flags)
{
	struct ms_aside s = { w->other_start, flags, 0, w->other_size };

	ms_aside_set(&s, NULL);
	w->disarmed = false;
}

/* None: there is none, or the program itself has the kernel forget it. */
static void learn(struct ms_window *w, const struct ms_aside *theirs)
{
	bool one = (theirs->flags & (DISABLE | autodisarm)) == 0;

	w->other_start = one ? theirs->start : 0;
	w->other_size = one ? theirs->size : 0;
}

/* What the program wants, as the kernel has it now. */
static void adopt(struct ms_window *w, const struct ms_aside *now)
{
	learn(w, now);
	if (w->other_size != 0)
		arm(w, autodisarm);
}

void ms_other_open(struct ms_window *w)
{
	struct ms_aside now = { 0 };

	if (ms_aside_set(NULL, &now) != 0)
		return;
	adopt(w, &now);
	w->disarmed = is_on(w, w->regs[MS_REG_SP]);
	if (w->disarmed)
		ms_aside_set(&none, NULL);
}

void ms_other_hide(struct ms_window *w)
{
	struct ms_aside now = { .flags = DISABLE };

	ms_aside_set(&none, &now);
	w->hidden[0] = now.start;
	w->hidden[1] = now.flags & ~ON_STACK;
	w->hidden[2] = now.size;
}

void ms_other_show(const struct ms_window *w, uint64_t *uc)
{
	bool known = w->other_size != 0;

	uc[UC_STACK_START] = known ? w->other_start : w->hidden[0];
	uc[UC_STACK_FLAGS] = known ? 0 : w->hidden[1];
	uc[UC_STACK_SIZE] = known ? w->other_size : w->hidden[2];
}

void ms_other_unhide(const struct ms_window *w, uint64_t *uc)
{
	uc[UC_STACK_START] = w->hidden[0];
	uc[UC_STACK_FLAGS] = w->hidden[1];
	uc[UC_STACK_SIZE] = w->hidden[2];
}

void ms_other_left(struct ms_window *w)
{
	if (w->disarmed && !is_on(w, w->regs[MS_REG_SP]))
		arm(w, autodisarm);
}

void ms_other_handler(struct ms_window *w, uint64_t *uc)
{
	if (is_on(w, (uint64_t)uc))
		w->disarmed = true;
	if (w->other_size != 0)
		ms_other_show(w, uc);
}

void ms_other_return(struct ms_window *w, uint64_t *uc)
{
	learn(w, &(struct ms_aside){ .start = uc[UC_STACK_START],
				     .flags = (uint32_t)uc[UC_STACK_FLAGS],
				     .size = uc[UC_STACK_SIZE] });
	/* What it interrupted may be a handler there, too: natively the kernel knows of both. */
	w->disarmed = is_on(w, uc[MS_UC_SP]);
	if (w->disarmed) {
		uc[UC_STACK_START] = uc[UC_STACK_SIZE] = 0;
		uc[UC_STACK_FLAGS] = DISABLE;
	} else if (w->other_size != 0) {
		uc[UC_STACK_FLAGS] |= autodisarm;
	}
}

int64_t ms_other_set(struct ms_thread *t, const struct ms_aside *wanted, struct ms_aside *old)
{
	struct ms_window *w = ms_window_of(t);
	struct ms_aside was = { w->other_start, 0, 0, w->other_size }, now = { 0 };
	bool on = is_on(w, w->regs[MS_REG_SP]);
	int64_t result;

	if (wanted != NULL && on)
		return NOT_PERMITTED;
	/* The program's own places first: the kernel says when they are none. */
	result = ms_aside_call(wanted, old);
	if (result != 0)
		return result;
	if (old != NULL && was.size != 0) {
		was.flags = on ? ON_STACK : 0;
		*old = was;
	}
	if (old != NULL)
		ms_aside_disguise(old);
	if (wanted != NULL) {
		ms_aside_set(NULL, &now);
		w->disarmed = false;
		adopt(w, &now);
	}
	return 0;
}
