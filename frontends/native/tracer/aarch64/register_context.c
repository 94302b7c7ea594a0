/* register_context.c - the program's registers: in the window, and in the kernel's signal frames.
 */
#include "arch.h"
#include "runtime/libc_substitutes.h"
#include "runtime/thread_state.h"
#include "thread_layout.h"
#include "tracer/arch_priv.h"
#include "tracer/window.h"
#include "ucontext_layout.h"
#include "unwind/unwind.h"

/* Bits of the processor's state: flags, and the type of the last indirect branch (BTYPE). */
static const uint64_t state_flags = 0xf0000000, state_branch = 0xc00;

/* --- frames --- */

void ms_tracer_show_native_context(const struct ms_tracer_window *w, uint64_t *uc, uint64_t pc)
{
	ms_runtime_copy_bytes(&uc[MS_SIGNALS_UCONTEXT_FIRST_REG], w->regs, 31 * 8);
	uc[MS_SIGNALS_UCONTEXT_SP] = w->regs[SP];
	uc[MS_SIGNALS_UCONTEXT_STATE] =
		(uc[MS_SIGNALS_UCONTEXT_STATE] & ~(state_flags | state_branch)) |
		(w->flags & state_flags);
	uc[MS_SIGNALS_UCONTEXT_PC] = pc;
}

void ms_tracer_show_fault_context(const struct ms_tracer_window *w, const struct ms_tracer_block *b,
				  const struct ms_tracer_insn_site *site, uint64_t *uc)
{
	for (uint32_t i = 0; i < MS_TRACER_MAX_TAKEN && site->state == MS_TRACER_SITE_BODY; i++)
		if (b->taken[i] != NO_REG)
			uc[MS_SIGNALS_UCONTEXT_FIRST_REG + b->taken[i]] = w->spill[b->taken[i]];
	uc[MS_SIGNALS_UCONTEXT_FIRST_REG + MS_TRACER_THREAD_REGISTER] =
		w->regs[MS_TRACER_THREAD_REGISTER];
}

void ms_tracer_resume_traced(struct ms_runtime_thread *t, uint64_t *uc)
{
	struct ms_tracer_window *w = ms_tracer_get_window(t);

	w->pc = uc[MS_SIGNALS_UCONTEXT_PC];
	w->regs[MS_TRACER_THREAD_REGISTER] =
		uc[MS_SIGNALS_UCONTEXT_FIRST_REG + MS_TRACER_THREAD_REGISTER];
	uc[MS_SIGNALS_UCONTEXT_FIRST_REG + MS_TRACER_THREAD_REGISTER] = (uint64_t)t;
	uc[MS_SIGNALS_UCONTEXT_PC] = (uint64_t)ms_tracer_stub_dispatch;
}

/* --- calls --- */

struct ms_unwind_frame ms_tracer_get_frame(const struct ms_tracer_window *w)
{
	struct ms_unwind_frame frame = { .pc = w->pc,
					 .sp = w->regs[SP],
					 .link = w->regs[MS_TRACER_REG_LINK] };

	ms_runtime_copy_bytes(frame.callee_saved, &w->regs[19], sizeof(frame.callee_saved));
	return frame;
}

void ms_tracer_drop_syscall_registers(struct ms_tracer_window *w)
{
	(void)w; /* the kernel preserves all registers but the result */
}

bool ms_tracer_is_syscall_at(uint64_t pc)
{
	return (*(const uint32_t *)pc & 0xff000000) == 0xd4000000;
}

bool ms_tracer_changes_thread_pointer(uint64_t number, const uint64_t *args)
{
	(void)number; /* on this architecture an instruction does that, not a system call */
	(void)args;
	return false;
}

struct ms_unwind_frame ms_tracer_get_caller_frame(const struct ms_tracer_window *w)
{
	struct ms_unwind_frame frame = ms_tracer_get_frame(w);

	frame.pc = w->regs[MS_TRACER_REG_LINK];
	frame.link = 0;
	return frame;
}

void ms_tracer_return_to_caller(struct ms_tracer_window *w)
{
	w->pc = w->regs[MS_TRACER_REG_LINK];
}

/* --- windows --- */

void ms_tracer_set_stub_addresses(struct ms_tracer_window *w)
{
	w->glue[MS_TRACER_STUB_FULL] = (uint64_t)ms_tracer_stub_full;
	w->glue[MS_TRACER_STUB_LINK] = (uint64_t)ms_tracer_stub_link;
	w->glue[MS_TRACER_STUB_MISS] = (uint64_t)ms_tracer_stub_miss;
	w->glue[MS_TRACER_STUB_CALL] = (uint64_t)ms_tracer_stub_call;
	w->glue[MS_TRACER_STUB_CHANGED] = (uint64_t)ms_tracer_stub_changed;
	w->glue[MS_TRACER_STUB_CLONED] = (uint64_t)ms_tracer_clone_done;
}
