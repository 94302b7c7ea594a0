/*
 * aarch64/callee_saved.h - callee-saved registers and DWARF register numbers: what the unwinder
 * needs to know about the architecture.
 */
#ifndef MS_NATIVE_UNWIND_AARCH64_CALLEE_SAVED_H
#define MS_NATIVE_UNWIND_AARCH64_CALLEE_SAVED_H

/* x19 to x29, and the link register */
enum { MS_UNWIND_CALLEE_SAVED_COUNT = 12, MS_UNWIND_CALLEE_SAVED_FP = 10 };
#define MS_UNWIND_CALLEE_SAVED_REGS                            \
	{                                                      \
		19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30 \
	}

/* The pc has the column of the return address. */
enum {
	MS_UNWIND_CFI_REGS = 32,
	MS_UNWIND_CFI_SP = 31,
	MS_UNWIND_CFI_FP = 29,
	MS_UNWIND_CFI_PC = 30
};

/* The bits of a return address that are not a signature. */
#define MS_UNWIND_CODE_ADDRESS_MASK UINT64_C(0x0000ffffffffffff)

#endif
