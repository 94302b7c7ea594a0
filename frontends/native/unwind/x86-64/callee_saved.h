/*
 * x86-64/callee_saved.h - callee-saved registers and DWARF register numbers: what the unwinder
 * needs to know about the architecture.
 */
#ifndef MS_NATIVE_UNWIND_X86_64_CALLEE_SAVED_H
#define MS_NATIVE_UNWIND_X86_64_CALLEE_SAVED_H

/* rbx, rbp, r12 to r15 */
enum { MS_UNWIND_CALLEE_SAVED_COUNT = 6, MS_UNWIND_CALLEE_SAVED_FP = 1 };
#define MS_UNWIND_CALLEE_SAVED_REGS  \
	{                            \
		3, 6, 12, 13, 14, 15 \
	}

/* The pc has the column of the return address. */
enum { MS_UNWIND_CFI_REGS = 17, MS_UNWIND_CFI_SP = 7, MS_UNWIND_CFI_FP = 6, MS_UNWIND_CFI_PC = 16 };

/* The bits of a return address that are not a signature. */
#define MS_UNWIND_CODE_ADDRESS_MASK UINT64_MAX

#endif
