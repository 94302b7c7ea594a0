/* x86-64/slice_entry.c - a call from translated code that passes the address of the guest's state.
 */
#include "pub_tool_basics.h"

/* Translated code always has the state's address in %rbp, and a call preserves that register. */
__asm__(".text\n"
	".p2align 4\n"
	".globl ms_vg_slice_enter\n"
	".hidden ms_vg_slice_enter\n"
	".type ms_vg_slice_enter, @function\n"
	"ms_vg_slice_enter:\n"
	"	movq %rbp, %rdi\n"
	"	jmp ms_vg_slice_check\n"
	".size ms_vg_slice_enter, . - ms_vg_slice_enter\n");
