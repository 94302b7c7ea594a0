/*
 * machine/aarch64/mix.c - a mix of instructions as in compiled code. A round is 32 instructions: 8
 * loads, 3 stores, 14 of integers, 4 of floating point, 2 branches that are not taken and that of
 * the loop. All loads and stores hit the first level. Most results are used two to four
 * instructions later, as compilers schedule them. A multiplication and two additions of floating
 * point depend on those of the round before: loops of programs are rarely free of such a chain, and
 * without it the mix would only measure how many instructions the processor can issue.
 */
#include "machine/probes.h"

/* clang-format off */
void ms_machine_mix(uint64_t rounds, void *data)
{
	__asm__ volatile(
		"movi d6, #0\n\t"
		"1:\n\t"
		"ldr x2, [%1]\n\t"
		"ldr x3, [%1, #64]\n\t"
		"and x9, %0, #15\n\t"
		"ldr d0, [%1, #128]\n\t"
		"ldr d1, [%1, #136]\n\t"
		"add x2, x2, x3\n\t"
		"eor x3, x3, x9\n\t"
		"ldr x4, [%1, x9, lsl #3]\n\t"
		"fmul d2, d6, d1\n\t"
		"lsr x5, x2, #7\n\t"
		"cmp x2, x3\n\t"
		"b.gt 2f\n\t"
		"add x6, x5, x4\n\t"
		"ldr x7, [%1, #192]\n\t"
		"fadd d3, d2, d0\n\t"
		"str x6, [%1, #256]\n\t"
		"add x8, x7, #1\n\t"
		"orr x10, x8, x5\n\t"
		"ldr d4, [%1, #200]\n\t"
		"sub x11, x10, x4\n\t"
		"cbz %1, 2f\n\t"
		"2:\n\t"
		"fmul d5, d4, d1\n\t"
		"add x12, x11, x8\n\t"
		"str d3, [%1, #264]\n\t"
		"ldr x13, [%1, #320]\n\t"
		"lsl x14, x12, #2\n\t"
		"fadd d6, d5, d3\n\t"
		"add x13, x13, x14\n\t"
		"str x13, [%1, #328]\n\t"
		"eor x15, x13, x9\n\t"
		"subs %0, %0, #1\n\t"
		"b.ne 1b\n\t"
		: "+r"(rounds)
		: "r"(data)
		: "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
		  "v0", "v1", "v2", "v3", "v4", "v5", "v6", "cc", "memory");
}
/* clang-format on */
