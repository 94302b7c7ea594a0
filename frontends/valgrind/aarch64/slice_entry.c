/* aarch64/slice_entry.c - a call from translated code that passes the address of the guest's state.
 */
#include "pub_tool_basics.h"

/*
 * VEX can pass the state's address to a helper (IRExpr_GSPTR), but on arm64 not to one that is
 * called conditionally. Translated code always has the address in x21, and a call preserves that
 * register.
 */
__asm__(".text\n"
	".p2align 4\n"
	".globl ms_vg_slice_enter\n"
	".hidden ms_vg_slice_enter\n"
	".type ms_vg_slice_enter, %function\n"
	"ms_vg_slice_enter:\n"
	"	mov x0, x21\n"
	"	b ms_vg_slice_check\n"
	".size ms_vg_slice_enter, . - ms_vg_slice_enter\n");
