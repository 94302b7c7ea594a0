/*
 * x86-64/kept.h - callee-saved registers and DWARF register numbers: what the unwinder needs to
 * know about the architecture.
 */
#ifndef MS_NATIVE_KEPT_H
#define MS_NATIVE_KEPT_H

/* rbx, rbp, r12 to r15 */
enum { MS_KEPT = 6, MS_KEPT_FP = 1 };
#define MS_KEPT_REGS                 \
	{                            \
		3, 6, 12, 13, 14, 15 \
	}

/* The pc has the column of the return address. */
enum { MS_CFI_REGS = 17, MS_CFI_SP = 7, MS_CFI_FP = 6, MS_CFI_PC = 16 };

/* The bits of a return address that are not a signature. */
#define MS_CODE_BITS UINT64_MAX

#endif
