/* context.c - the program's registers: in the window, and in the kernel's signal frames. */
#include "arch.h"
#include "layout.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "tracer/arch_priv.h"
#include "tracer/window.h"
#include "ucontext.h"
#include "unwind/unwind.h"

/* Bits of the processor's state: flags, and the type of the last indirect branch (BTYPE). */
static const uint64_t state_flags = 0xf0000000, state_branch = 0xc00;

/* --- frames --- */

void ms_context_true(const struct ms_window *w, uint64_t *uc, uint64_t pc)
{
	ms_copy(&uc[MS_SIGNALS_UCONTEXT_FIRST_REG], w->regs, 31 * 8);
	uc[MS_UCONTEXT_SP] = w->regs[SP];
	uc[MS_SIGNALS_UCONTEXT_STATE] =
		(uc[MS_SIGNALS_UCONTEXT_STATE] & ~(state_flags | state_branch)) |
		(w->flags & state_flags);
	uc[MS_UCONTEXT_PC] = pc;
}

void ms_context_fault(const struct ms_window *w, const struct ms_block *b,
		      const struct ms_site *site, uint64_t *uc)
{
	for (uint32_t i = 0; i < MS_TAKEN && site->state == MS_SITE_BODY; i++)
		if (b->taken[i] != NO_REG)
			uc[MS_SIGNALS_UCONTEXT_FIRST_REG + b->taken[i]] = w->spill[b->taken[i]];
	uc[MS_SIGNALS_UCONTEXT_FIRST_REG + MS_OURS] = w->regs[MS_OURS];
}

void ms_context_go(struct ms_thread *t, uint64_t *uc)
{
	struct ms_window *w = ms_window_of(t);

	w->pc = uc[MS_UCONTEXT_PC];
	w->regs[MS_OURS] = uc[MS_SIGNALS_UCONTEXT_FIRST_REG + MS_OURS];
	uc[MS_SIGNALS_UCONTEXT_FIRST_REG + MS_OURS] = (uint64_t)t;
	uc[MS_UCONTEXT_PC] = (uint64_t)ms_glue_go;
}

/* --- calls --- */

struct ms_frame ms_context_frame(const struct ms_window *w)
{
	struct ms_frame frame = { .pc = w->pc, .sp = w->regs[SP], .link = w->regs[MS_REG_LINK] };

	ms_copy(frame.kept, &w->regs[19], sizeof(frame.kept));
	return frame;
}

void ms_context_called(struct ms_window *w)
{
	(void)w; /* the kernel preserves all registers but the result */
}

bool ms_context_is_call(uint64_t pc)
{
	return (*(const uint32_t *)pc & 0xff000000) == 0xd4000000;
}

bool ms_context_moves_thread(uint64_t number, const uint64_t *args)
{
	(void)number; /* on this architecture an instruction does that, not a system call */
	(void)args;
	return false;
}

struct ms_frame ms_context_caller(const struct ms_window *w)
{
	struct ms_frame frame = ms_context_frame(w);

	frame.pc = w->regs[MS_REG_LINK];
	frame.link = 0;
	return frame;
}

void ms_context_return(struct ms_window *w)
{
	w->pc = w->regs[MS_REG_LINK];
}

/* --- windows --- */

void ms_context_glue(struct ms_window *w)
{
	w->glue[MS_GLUE_FULL] = (uint64_t)ms_glue_full;
	w->glue[MS_GLUE_LINK] = (uint64_t)ms_glue_link;
	w->glue[MS_GLUE_MISS] = (uint64_t)ms_glue_miss;
	w->glue[MS_GLUE_CALL] = (uint64_t)ms_glue_call;
	w->glue[MS_GLUE_CHANGED] = (uint64_t)ms_glue_changed;
	w->glue[MS_GLUE_CLONED] = (uint64_t)ms_clone_done;
}
