/*
 * machine/x86-64/mix.c - a mix of instructions as in compiled code. A round is 32 instructions: 8
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
		"xorps %%xmm3, %%xmm3\n\t"
		"1:\n\t"
		"mov (%1), %%rax\n\t"
		"mov 64(%1), %%rcx\n\t"
		"mov %0, %%rdx\n\t"
		"movsd 128(%1), %%xmm0\n\t"
		"movsd 136(%1), %%xmm1\n\t"
		"add %%rcx, %%rax\n\t"
		"and $15, %%edx\n\t"
		"mov (%1,%%rdx,8), %%r8\n\t"
		"mulsd %%xmm1, %%xmm3\n\t"
		"mov %%rax, %%r9\n\t"
		"cmp %%rdx, %%rax\n\t"
		"jg 2f\n\t"
		"shr $7, %%r9\n\t"
		"mov 192(%1), %%r10\n\t"
		"addsd %%xmm0, %%xmm3\n\t"
		"mov %%r9, 256(%1)\n\t"
		"add $1, %%r10\n\t"
		"or %%r9, %%r8\n\t"
		"movsd 200(%1), %%xmm2\n\t"
		"sub %%r10, %%r8\n\t"
		"test %1, %1\n\t"
		"jz 2f\n\t"
		"2:\n\t"
		"mulsd %%xmm1, %%xmm2\n\t"
		"movsd %%xmm3, 264(%1)\n\t"
		"mov 320(%1), %%rsi\n\t"
		"shl $2, %%r8\n\t"
		"addsd %%xmm2, %%xmm3\n\t"
		"add %%r8, %%rsi\n\t"
		"mov %%rsi, 328(%1)\n\t"
		"xor %%rdx, %%rsi\n\t"
		"sub $1, %0\n\t"
		"jnz 1b\n\t"
		: "+r"(rounds)
		: "r"(data)
		: "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "xmm0", "xmm1", "xmm2", "xmm3", "cc", "memory");
}
/* clang-format on */
