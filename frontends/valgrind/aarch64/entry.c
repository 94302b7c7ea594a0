/* aarch64/entry.c - a call from translated code that is told where the guest's state is. */
#include "pub_tool_basics.h"

/*
 * VEX can pass the state's address to a helper (IRExpr_GSPTR), but on arm64 not to one that is
 * called under a condition. Translated code has the address in x21 all the time, and a call leaves
 * that register alone.
 */
__asm__(".text\n"
	".p2align 4\n"
	".globl ms_turns_enter\n"
	".hidden ms_turns_enter\n"
	".type ms_turns_enter, %function\n"
	"ms_turns_enter:\n"
	"	mov x0, x21\n"
	"	b ms_turns_check\n"
	".size ms_turns_enter, . - ms_turns_enter\n");
