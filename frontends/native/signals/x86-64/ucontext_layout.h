/* x86-64/ucontext_layout.h - a thread's registers in a signal handler: the kernel's ucontext, in
 * words. */
#ifndef MS_NATIVE_SIGNALS_X86_64_UCONTEXT_LAYOUT_H
#define MS_NATIVE_SIGNALS_X86_64_UCONTEXT_LAYOUT_H

#include <stdint.h>

enum {
	MS_SIGNALS_UCONTEXT_REGS = 16,
	MS_SIGNALS_UCONTEXT_FIRST_REG = 5,
	MS_SIGNALS_UCONTEXT_RESULT = 18,
	MS_SIGNALS_UCONTEXT_SP = 20,
	MS_SIGNALS_UCONTEXT_PC = 21,
	MS_SIGNALS_UCONTEXT_FLAGS = 22,
	MS_SIGNALS_UCONTEXT_MASK = 37,
	MS_SIGNALS_UCONTEXT_LINK = 0 /* no register has the return address */
};
/* Where the unwinder's callee-saved registers are, in their order: rbx, rbp, r12 to r15. */
#define MS_SIGNALS_UCONTEXT_CALLEE_SAVED \
	{                                \
		16, 15, 9, 10, 11, 12    \
	}
/* Bytes below the stack pointer that belong to the running function. */
enum { MS_SIGNALS_RED_ZONE_BYTES = 128 };
/* Length that the kernel requires of a breakpoint. */
enum { MS_SIGNALS_BREAKPOINT_BYTES = 8 };

/* In the order of their numbers. */
static inline void ms_signals_read_ucontext_regs(const uint64_t *uc,
						 uint64_t regs[MS_SIGNALS_UCONTEXT_REGS])
{
	/* r8 to r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp */
	static const uint8_t number[MS_SIGNALS_UCONTEXT_REGS] = { 8, 9, 10, 11, 12, 13, 14, 15,
								  7, 6, 5,  3,  2,  0,  1,  4 };

	for (uint32_t i = 0; i < MS_SIGNALS_UCONTEXT_REGS; i++)
		regs[number[i]] = uc[MS_SIGNALS_UCONTEXT_FIRST_REG + i];
}

#endif
