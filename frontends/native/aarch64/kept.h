/*
 * aarch64/kept.h - callee-saved registers and DWARF register numbers: what the unwinder needs to
 * know about the architecture.
 */
#ifndef MS_NATIVE_KEPT_H
#define MS_NATIVE_KEPT_H

/* x19 to x29, and the link register */
enum { MS_KEPT = 12, MS_KEPT_FP = 10 };
#define MS_KEPT_REGS                                           \
	{                                                      \
		19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30 \
	}

/* The pc has the column of the return address. */
enum { MS_CFI_REGS = 32, MS_CFI_SP = 31, MS_CFI_FP = 29, MS_CFI_PC = 30 };

/* The bits of a return address that are not a signature. */
#define MS_CODE_BITS UINT64_C(0x0000ffffffffffff)

#endif
