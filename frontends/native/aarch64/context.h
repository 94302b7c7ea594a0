/* aarch64/context.h - a thread's registers as a handler finds them: the kernel's ucontext, in
 * words. */
#ifndef MS_NATIVE_CONTEXT_H
#define MS_NATIVE_CONTEXT_H

#include <stdint.h>

/* x0 to x30, then the stack pointer. */
enum { MS_CONTEXT_REGS = 32, MS_CONTEXT_PC = 55 };

static inline void ms_context_regs(const uint64_t *uc, uint64_t regs[MS_CONTEXT_REGS])
{
	for (uint32_t i = 0; i < MS_CONTEXT_REGS; i++)
		regs[i] = uc[23 + i];
}

#endif
