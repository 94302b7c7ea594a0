/* register_context.c - the program's registers: in the window, and in the kernel's signal frames.
 */
#include "arch.h"
#include "instruction.h"
#include "runtime/thread_state.h"
#include "tracer/arch_priv.h"
#include "tracer/window.h"
#include "ucontext_layout.h"
#include "unwind/unwind.h"

static const uint8_t uc_order[16] = { R8,  R9,  R10, R11, R12, R13, R14, R15,
				      RDI, RSI, RBP, RBX, RDX, RAX, RCX, RSP };

/* --- frames --- */

void ms_tracer_show_native_context(const struct ms_tracer_window *w, uint64_t *uc, uint64_t pc)
{
	for (uint32_t i = 0; i < 16; i++)
		uc[MS_SIGNALS_UCONTEXT_FIRST_REG + i] = w->regs[uc_order[i]];
	uc[MS_SIGNALS_UCONTEXT_FLAGS] = w->flags;
	uc[MS_SIGNALS_UCONTEXT_PC] = pc;
}

static uint64_t *register_in(uint64_t *uc, uint32_t reg)
{
	uint32_t i = 0;

	while (uc_order[i] != reg)
		i++;
	return &uc[MS_SIGNALS_UCONTEXT_FIRST_REG + i];
}

/* Flags are in ah, as lahf stores them, and the overflow flag is in al. */
static void give_back_flags(const struct ms_tracer_window *w, uint64_t *uc)
{
	enum { LOW_FLAGS = 0xd5, OVERFLOW = 0x800 };
	uint64_t *rax = register_in(uc, RAX);

	uc[MS_SIGNALS_UCONTEXT_FLAGS] &= ~(uint64_t)(LOW_FLAGS | OVERFLOW);
	uc[MS_SIGNALS_UCONTEXT_FLAGS] |= (*rax >> 8 & LOW_FLAGS) | (*rax & 1 ? OVERFLOW : 0);
	*rax = w->regs[RAX];
}

void ms_tracer_show_fault_context(const struct ms_tracer_window *w, const struct ms_tracer_block *b,
				  const struct ms_tracer_insn_site *site, uint64_t *uc)
{
	const uint8_t given[] = { b->b, b->s, site->taken };

	if (site->state == MS_TRACER_SITE_COMPARE) {
		*register_in(uc, b->b) = w->spill[b->b];
		give_back_flags(w, uc);
		return;
	}
	if (site->state == MS_TRACER_SITE_JUMP) {
		*register_in(uc, RCX) = w->spill[RCX];
		*register_in(uc, R11) = w->spill[R11];
		return;
	}
	if (site->state == MS_TRACER_SITE_REP)
		*register_in(uc, RCX) += *register_in(uc, b->s);
	for (uint32_t i = 0; i < 3; i++)
		if (given[i] != NO_REG)
			*register_in(uc, given[i]) = w->spill[given[i]];
}

void ms_tracer_resume_traced(struct ms_runtime_thread *t, uint64_t *uc)
{
	ms_tracer_get_window(t)->pc = uc[MS_SIGNALS_UCONTEXT_PC];
	uc[MS_SIGNALS_UCONTEXT_PC] = (uint64_t)ms_tracer_stub_dispatch;
}

/* --- calls --- */

struct ms_unwind_frame ms_tracer_get_frame(const struct ms_tracer_window *w)
{
	const uint64_t *r = w->regs;

	return (struct ms_unwind_frame){ .callee_saved = { r[RBX], r[RBP], r[R12], r[R13], r[R14],
							   r[R15] },
					 .pc = w->pc,
					 .sp = r[RSP] };
}

void ms_tracer_drop_syscall_registers(struct ms_tracer_window *w)
{
	w->regs[RCX] = w->pc;
	w->regs[R11] = w->flags;
}

bool ms_tracer_is_syscall_at(uint64_t pc)
{
	return *(const uint8_t *)pc == 0x0f;
}

bool ms_tracer_changes_thread_pointer(uint64_t number, const uint64_t *args)
{
	enum { SET_GS = 0x1001, SET_FS = 0x1002 };

	return number == __NR_arch_prctl && (args[0] == SET_GS || args[0] == SET_FS);
}

struct ms_unwind_frame ms_tracer_get_caller_frame(const struct ms_tracer_window *w)
{
	struct ms_unwind_frame frame = ms_tracer_get_frame(w);

	frame.pc = *(const uint64_t *)w->regs[RSP];
	frame.sp += 8;
	return frame;
}

void ms_tracer_return_to_caller(struct ms_tracer_window *w)
{
	w->pc = *(uint64_t *)w->regs[RSP];
	w->regs[RSP] += 8;
}

/* --- windows --- */

void ms_tracer_set_stub_addresses(struct ms_tracer_window *w)
{
	w->glue[MS_TRACER_STUB_FULL] = (uint64_t)ms_tracer_stub_full;
	w->glue[MS_TRACER_STUB_LINK] = (uint64_t)ms_tracer_stub_link;
	w->glue[MS_TRACER_STUB_MISS] = (uint64_t)ms_tracer_stub_miss;
	w->glue[MS_TRACER_STUB_CALL] = (uint64_t)ms_tracer_stub_call;
	w->glue[MS_TRACER_STUB_CLONED] = (uint64_t)ms_tracer_clone_done;
	w->glue[MS_TRACER_STUB_COMPUTED] = (uint64_t)ms_tracer_stub_computed;
	w->glue[MS_TRACER_STUB_CHANGED] = (uint64_t)ms_tracer_stub_changed;
}
