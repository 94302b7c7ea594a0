/*
 * aarch64/ucontext_layout.h - a thread's registers in a signal handler: the kernel's ucontext, in
 * words.
 */
#ifndef MS_NATIVE_SIGNALS_AARCH64_UCONTEXT_LAYOUT_H
#define MS_NATIVE_SIGNALS_AARCH64_UCONTEXT_LAYOUT_H

#include <stdint.h>

/* x0 to x30, then the stack pointer. */
enum {
	MS_SIGNALS_UCONTEXT_REGS = 32,
	MS_SIGNALS_UCONTEXT_FIRST_REG = 23,
	MS_SIGNALS_UCONTEXT_RESULT = 23,
	MS_SIGNALS_UCONTEXT_SP = 54,
	MS_SIGNALS_UCONTEXT_PC = 55,
	MS_SIGNALS_UCONTEXT_STATE = 56,
	MS_SIGNALS_UCONTEXT_MASK = 5,
	MS_SIGNALS_UCONTEXT_LINK = 53
};
/* Where the unwinder's callee-saved registers are, in their order: x19 to x30. */
#define MS_SIGNALS_UCONTEXT_CALLEE_SAVED                       \
	{                                                      \
		42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53 \
	}
/* Bytes below the stack pointer that belong to the running function. */
enum { MS_SIGNALS_RED_ZONE_BYTES = 0 };
/* Length that the kernel requires of a breakpoint. */
enum { MS_SIGNALS_BREAKPOINT_BYTES = 4 };

static inline void ms_signals_read_ucontext_regs(const uint64_t *uc,
						 uint64_t regs[MS_SIGNALS_UCONTEXT_REGS])
{
	for (uint32_t i = 0; i < MS_SIGNALS_UCONTEXT_REGS; i++)
		regs[i] = uc[MS_SIGNALS_UCONTEXT_FIRST_REG + i];
}

#endif
