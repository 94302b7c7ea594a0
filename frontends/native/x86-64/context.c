/* context.c - the program's registers: in the window, and in the kernel's signal frames. */
#include "arch.h"
#include "insn.h"
#include "runtime/thread_state.h"
#include "tracer/arch_priv.h"
#include "tracer/window.h"
#include "ucontext.h"
#include "unwind/unwind.h"

static const uint8_t uc_order[16] = { R8,  R9,  R10, R11, R12, R13, R14, R15,
				      RDI, RSI, RBP, RBX, RDX, RAX, RCX, RSP };

/* --- frames --- */

void ms_context_true(const struct ms_window *w, uint64_t *uc, uint64_t pc)
{
	for (uint32_t i = 0; i < 16; i++)
		uc[MS_SIGNALS_UCONTEXT_FIRST_REG + i] = w->regs[uc_order[i]];
	uc[MS_SIGNALS_UCONTEXT_FLAGS] = w->flags;
	uc[MS_UCONTEXT_PC] = pc;
}

static uint64_t *register_in(uint64_t *uc, uint32_t reg)
{
	uint32_t i = 0;

	while (uc_order[i] != reg)
		i++;
	return &uc[MS_SIGNALS_UCONTEXT_FIRST_REG + i];
}

/* Flags are in ah, as lahf stores them, and the overflow flag is in al. */
static void give_back_flags(const struct ms_window *w, uint64_t *uc)
{
	enum { LOW_FLAGS = 0xd5, OVERFLOW = 0x800 };
	uint64_t *rax = register_in(uc, RAX);

	uc[MS_SIGNALS_UCONTEXT_FLAGS] &= ~(uint64_t)(LOW_FLAGS | OVERFLOW);
	uc[MS_SIGNALS_UCONTEXT_FLAGS] |= (*rax >> 8 & LOW_FLAGS) | (*rax & 1 ? OVERFLOW : 0);
	*rax = w->regs[RAX];
}

void ms_context_fault(const struct ms_window *w, const struct ms_block *b,
		      const struct ms_site *site, uint64_t *uc)
{
	const uint8_t given[] = { b->b, b->s, site->taken };

	if (site->state == MS_SITE_COMPARE) {
		*register_in(uc, b->b) = w->spill[b->b];
		give_back_flags(w, uc);
		return;
	}
	if (site->state == MS_SITE_JUMP) {
		*register_in(uc, RCX) = w->spill[RCX];
		*register_in(uc, R11) = w->spill[R11];
		return;
	}
	if (site->state == MS_SITE_REP)
		*register_in(uc, RCX) += *register_in(uc, b->s);
	for (uint32_t i = 0; i < 3; i++)
		if (given[i] != NO_REG)
			*register_in(uc, given[i]) = w->spill[given[i]];
}

void ms_context_go(struct ms_thread *t, uint64_t *uc)
{
	ms_window_of(t)->pc = uc[MS_UCONTEXT_PC];
	uc[MS_UCONTEXT_PC] = (uint64_t)ms_glue_go;
}

/* --- calls --- */

struct ms_frame ms_context_frame(const struct ms_window *w)
{
	const uint64_t *r = w->regs;

	return (struct ms_frame){ .kept = { r[RBX], r[RBP], r[R12], r[R13], r[R14], r[R15] },
				  .pc = w->pc,
				  .sp = r[RSP] };
}

void ms_context_called(struct ms_window *w)
{
	w->regs[RCX] = w->pc;
	w->regs[R11] = w->flags;
}

bool ms_context_is_call(uint64_t pc)
{
	return *(const uint8_t *)pc == 0x0f;
}

bool ms_context_moves_thread(uint64_t number, const uint64_t *args)
{
	enum { SET_GS = 0x1001, SET_FS = 0x1002 };

	return number == __NR_arch_prctl && (args[0] == SET_GS || args[0] == SET_FS);
}

struct ms_frame ms_context_caller(const struct ms_window *w)
{
	struct ms_frame frame = ms_context_frame(w);

	frame.pc = *(const uint64_t *)w->regs[RSP];
	frame.sp += 8;
	return frame;
}

void ms_context_return(struct ms_window *w)
{
	w->pc = *(uint64_t *)w->regs[RSP];
	w->regs[RSP] += 8;
}

/* --- windows --- */

void ms_context_glue(struct ms_window *w)
{
	w->glue[MS_GLUE_FULL] = (uint64_t)ms_glue_full;
	w->glue[MS_GLUE_LINK] = (uint64_t)ms_glue_link;
	w->glue[MS_GLUE_MISS] = (uint64_t)ms_glue_miss;
	w->glue[MS_GLUE_CALL] = (uint64_t)ms_glue_call;
	w->glue[MS_GLUE_CLONED] = (uint64_t)ms_clone_done;
	w->glue[MS_GLUE_SLOW] = (uint64_t)ms_glue_slow;
	w->glue[MS_GLUE_CHANGED] = (uint64_t)ms_glue_changed;
}
