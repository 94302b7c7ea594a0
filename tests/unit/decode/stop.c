/* Which load or store a stopped thread had waited for, on the machine that memspy is built for; the
 * cases are x86-64's (decode_aarch64.c has the others). */
/* Enough for decoding to fall into step. */
#define BEFORE_ALL "90 90 90 90 90 90 90 90"
#include "unit/decode/cases.h"

#include "../../../src/decode/decode.c"

#define AT __LINE__

#if defined(__x86_64__)
/* rax is register 0 and holds 0x10000000, rcx 0x20000000, rdx 0x30000000, rbx 0x40000000, rsp
 * 0x50000000, rbp, rsi 0x70000000, rdi 0x80000000, r8, r9 0xa0000000. */
static const struct decode_case cases[] = {
	{ AT, "mov (%rax),%rax", "48 8b 00|90", "after -3: read 8 at 0x10000000 (left)" },
	{ AT, "mov 8(%rdi,%rsi,8),%rcx", "48 8b 4c f7 08|90", "after -5: read 8 at 0x400000008" },
	{ AT, "movss (%rax),%xmm0; addss %xmm0,%xmm1", "f3 0f 10 00 f3 0f 58 c8|90",
	  "user -8: read 4 at 0x10000000" },
	{ AT, "mov (%rdx),%rax; add %rax,%rcx", "48 8b 02 48 01 c1|90",
	  "user -6: read 8 at 0x30000000" },
	{ AT, "mov (%rdx),%rax; add %rbx,%rcx: retire together", "48 8b 02 48 01 d9|90",
	  "user -6: read 8 at 0x30000000" },
	{ AT, "mov (%rdx),%rax; mov; mov; add %rax,%rcx: used late",
	  "48 8b 02 48 89 f3 48 89 f5 48 01 c1|90", "user -12: read 8 at 0x30000000" },
	{ AT, "mov (%rdx),%rax; mulsd %xmm2,%xmm1; mov: after the multiplication",
	  "48 8b 02 f2 0f 59 ca 48 89 f5|90", "compute" },
	{ AT,
	  "movsd (%rsi),%xmm0; movsd %xmm0,(%rdi); add $8,%rsi; add %rdx,%rdi; dec; jne: "
	  "transposes",
	  "f2 0f 10 06 f2 0f 11 07|48 83 c6 08 48 01 d7 48 ff c9 75 ec",
	  "after -4: write 8 at 0x80000000, on by r2" },
	{ AT, "mulsd (%rdi),%xmm0; addsd (%rsi),%xmm0: waits for the other",
	  "f2 0f 59 07 f2 0f 58 06|90", "compute" },
	{ AT, "y[col[i]] += r * val[i]: it is led there",
	  "8b 34 82 48 8d 34 f7 66 0f 28 c8 f2 41 0f 59 0c c0 f2 0f 58 0e|f2 0f 11 0e 48 83 c0 01 "
	  "48 39 c8 75 de",
	  "after -4: read 8 at 0x70000000" },
	{ AT, "the same, loaded in the turn before",
	  "f2 41 0f 59 0c c0 f2 0f 58 0c f7|8b 74 82 04 48 83 c0 01 48 39 c8 75 e8",
	  "after -5: read 8 at 0x400000000" },
	{ AT, "z[j] += r * y[j]: in order",
	  "66 0f 28 c1 f2 0f 59 44 d5 00 f2 0f 58 04 d3|f2 0f 11 04 d3 48 83 c2 01 39 d0 7f e4",
	  "after -5: read 8 at 0x1c0000000, on by 8 beside 8" },
	{ AT, "the store of it: compute time",
	  "66 0f 28 c1 f2 0f 59 44 d5 00 f2 0f 58 04 d3 f2 0f 11 04 d3|48 83 c2 01 39 d0 7f e4",
	  "compute" },
	{ AT, "add (%rdi),%rax; sub $8,%rdi; dec %rcx; jne: backwards",
	  "48 03 07|48 83 ef 08 48 ff c9 75 f4", "after -3: read 8 at 0x80000000, on by -8" },
	{ AT, "the same by two adds: by 12 and by 4",
	  "48 03 07|48 83 c7 0c 48 8d 7f 04 48 ff c9 75 f0",
	  "after -3: read 8 at 0x80000000, on by 16" },
	{ AT, "by as much as a line", "48 03 07|48 83 c7 40 48 ff c9 75 f4",
	  "after -3: read 8 at 0x80000000, on by a line or more" },
	{ AT, "by a register", "48 03 07|48 01 f7 48 ff c9 75 f5",
	  "after -3: read 8 at 0x80000000, on by r6" },
	{ AT, "by a constant, but no loop", "48 03 07|48 83 c7 08 48 ff c9 90 90",
	  "after -3: read 8 at 0x80000000" },
	{ AT, "movsd (%rdi),%xmm0; addsd %xmm0,%xmm1; add $8,%rdi; dec; jne: its user",
	  "f2 0f 10 07 f2 0f 58 c8|48 83 c7 08 48 ff c9 75 ef",
	  "user -8: read 8 at 0x80000000, on by 8" },
	{ AT, "m->z[j] += r * y[j]: where m->z is does not change",
	  "48 8b 5f 10 f2 41 0f 59 0c c0 f2 0f 58 0c c3|48 83 c0 01 48 39 c8 75 e8", "compute" },
	{ AT, "y[col[i]] += r * val[i], of which the call in front is no part",
	  "8b 34 82 e8 00 00 00 00 f2 41 0f 59 0c c0 f2 0f 58 0e|90", "compute" },
	{ AT, "movapd %xmm1,%xmm0; mulsd (%rdi),%xmm0", "66 0f 28 c1 f2 0f 59 07|90",
	  "after -4: read 8 at 0x80000000" },
	{ AT, "addsd %xmm1,%xmm0; movsd %xmm0,(%rbx): stores what is computed",
	  "f2 0f 58 c1 f2 0f 11 03|90", "compute" },
	{ AT, "mov (%rax),%rbx; mov (%rbx),%rcx: one address after another", "48 8b 18 48 8b 0b|90",
	  "after -3: read 8 at 0x40000000" },
	{ AT, "cmp %rdx,(%rax); jne: done as one", "48 39 10 75 0e|90",
	  "user -5: read 8 at 0x10000000" },
	{ AT, "the same at the end of a loop to pc", "31 c0|48 83 c0 08 48 39 10 75 f7",
	  "user 4: read 8 at 0x10000000, on by 8" },
	{ AT, "cmp (%rax),%rcx; jne pc; mov 8(%rax),%rdx; xor 8(%rbx),%rdx; add %rdx,%rbp",
	  "48 3b 08 75 0b 48 8b 50 08 48 33 53 08 48 01 d5|90", "user -16: read 8 at 0x10000000" },
	{ AT, "mov (%rdx),%rax in front of a loop: perhaps", "48 8b 02|48 ff cb 75 fb",
	  "user -3: read 8 at 0x30000000" },
	{ AT, "a loop to pc without one", "31 c0|48 83 c0 08 48 39 d0 75 f7", "compute" },
	{ AT, "push %rbx", "53|90", "after -1: write 8 at 0x50000000 local" },
	{ AT, "pop %rbx", "5b|90", "after -1: read 8 at 0x4ffffff8 local" },
	{ AT, "rep movsq, half done", "90|f3 48 a5", "after 0: read 8 at 0x70000000" },
	{ AT, "syscall", "0f 05|90", "kernel" },
	{ AT, "call", "e8 3b 00 00 00|90", "compute" },
	{ AT, "ret", "48 8b 02 c3|90", "compute" },
	{ AT, "jmp", "eb 3e|90", "compute" },
	{ AT, "mov 0x100(%rip),%eax", "8b 05 00 01 00 00|90", "after -6: read 4 at 0x400100" },
	{ AT, "mov %fs:0x28,%rcx", "64 48 8b 0c 25 28 00 00 00|90",
	  "after -9: read 8 at 0x7f0028" },
	{ AT, "lea", "48 8d 58 08|90", "compute" },
	{ AT, "prefetcht0", "0f 18 08|90", "compute" },
	{ AT, "nopl 8(%rax)", "0f 1f 40 08|90", "compute" },
	{ AT, "vgatherdpd: the base alone", "c4 e2 f5 92 44 d6 08|90",
	  "after -7: read 8 at 0x70000008 (about)" },
	{ AT, "movzbl (%rax,%rdx),%eax: the other may be the pointer", "0f b6 04 10|90",
	  "after -4: read 1 at 0x30000000 (about)" },
	{ AT, "mov (%rax),%eax: no pointer is left", "8b 00|90", "after -2: read 4 at 0x0 (none)" },
	{ AT, "mov (%rsi,%rax,8),%rax: where the array is", "48 8b 04 c6|90",
	  "after -4: read 8 at 0x70000000 (about)" },
	{ AT, "add %rax,(%rdi)", "48 01 07|90", "after -3: modify 8 at 0x80000000" },
	{ AT, "lock xadd %eax,(%rbx)", "f0 0f c1 03|90", "after -4: modify 4 at 0x40000000" },
	{ AT, "mov %rax,16(%rsp)", "48 89 44 24 10|90", "after -5: write 8 at 0x50000010 local" },
	{ AT, "vmovdqu64 64(%r9),%zmm17", "62 c1 fe 48 6f 49 01|90",
	  "after -7: read 64 at 0xa0000040" },
	{ AT, "no instruction", "06|90", "unknown" },
};

static void finds_the_load_or_store(void **state)
{
	(void)state;
	check_cases(cases, MS_COUNT(cases));
}

/* The time of an iteration whose data is in the first-level cache. */
static const struct decode_case loops[] = {
	{ AT, "mov (%rax),%rax; dec %rcx; jne: a list", "48 8b 00|48 ff c9 75 f8",
	  "3 instructions from -3, 5 cycles, chained" },
	{ AT, "addsd (%rdi),%xmm0; add $8,%rdi; dec; jne: the sum",
	  "f2 0f 58 07|48 83 c7 08 48 ff c9 75 f3", "4 instructions from -4, 4 cycles" },
	{ AT,
	  "mov (%rdi,%rsi,4),%eax; cmp %edx,%eax; ja; add %rbx,%rsi; shr %rsi; dec; jne: a "
	  "binary search",
	  "8b 04 b7|39 d0 77 03 48 01 de 48 d1 ee 48 ff c9 75 ee",
	  "7 instructions from -3, 2 cycles, chained" },
};

static void times_loops(void **state)
{
	(void)state;
	check_loops(loops, MS_COUNT(loops));
}

/* The function's entry decides where what stands in front of it would mislead. */
static void decodes_from_function_entry(void **state)
{
	/* From the first byte on it is one long instruction, from the second one another. */
	static const uint8_t bytes[] = { 0x48, 0xb8, 0x90, 0x90, 0x90, 0x90,
					 0x90, 0x48, 0x8b, 0x02, 0x90 };
	struct ms_decode_code_around code = {
		.pc = PC, .bytes = bytes, .before = 10, .after = 1, .entry = PC - 10
	};
	struct ms_decode_stopped_thread s;

	(void)state;
	ms_decode_stop(&code, &s);
	assert_int_equal(s.stop, MS_STOP_COMPUTE);
	code.entry = PC - 3;
	ms_decode_stop(&code, &s);
	assert_int_equal(s.stop, MS_STOP_AFTER_ACCESS);
	assert_int_equal(s.site, PC - 3);
	code.entry = PC;
	ms_decode_stop(&code, &s);
	assert_int_equal(s.stop, MS_STOP_COMPUTE);
}
#endif

/*
 * Backwards over code of which only the end is known, here this program's own from one function to
 * the next: the last instruction must be the one that forward decoding has.
 */
static void decodes_backwards_as_forwards(void **state)
{
	enum { BEFORE = 192, MOST = 4000 };
	const uint8_t *start = (const uint8_t *)(uintptr_t)ms_decode_stop;
	uint32_t tried = 0, right = 0;
	struct ms_decode_instruction in, last;

	(void)state;
	for (uint32_t at = 0; at < MOST; at += in.length) {
		uint64_t pc = (uintptr_t)start + at;

		if (!ms_decode_one(start + at, 16, pc, &in))
			break;
		uint64_t next = pc + in.length;
		struct ms_decode_code_around code = { .pc = next,
						      .bytes = (const uint8_t *)(uintptr_t)next -
							       BEFORE,
						      .before = BEFORE };
		if (next - BEFORE < (uintptr_t)start)
			continue;
		tried++;
		right += before(&code, BEFORE, &last) && last.pc == pc;
	}
	assert_true(tried > 50);
	assert_true(right * 100 >= tried * 98);
}

/* Code that makes no sense, or is cut off anywhere, is decoded to something or nothing. */
static void accepts_any_bytes(void **state)
{
	enum { ROUNDS = 300, BEFORE = 192, AFTER = 64 };
	uint64_t random = 88172645463325252ULL;
	const uint64_t regs[REGS] = { 0 };
	uint8_t bytes[BEFORE + AFTER];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++) {
			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			/* Many short branches: loops within loops. */
			bytes[i] = random >> 62 == 0 ? 0x75 : (uint8_t)(random >> 40);
		}
		struct ms_decode_code_around code = { .pc = PC,
						      .bytes = bytes,
						      .before = BEFORE,
						      .after = (uint32_t)(random >> 33) % AFTER };
		struct ms_decode_stopped_thread s;
		uint64_t address;

		ms_decode_stop(&code, &s);
		assert_true(s.stop < MS_STOPS);
		assert_true(s.operand.stride > -MS_DECODE_LINE &&
			    s.operand.stride < MS_DECODE_LINE);
		ms_decode_address(&s, regs, REGS, 0, &address);
		ms_decode_goes_along(&s, regs, REGS, 0, address);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#if defined(__x86_64__)
		cmocka_unit_test(finds_the_load_or_store),
		cmocka_unit_test(times_loops),
		cmocka_unit_test(decodes_from_function_entry),
#endif
		cmocka_unit_test(decodes_backwards_as_forwards),
		cmocka_unit_test(accepts_any_bytes),
		cmocka_unit_test(stride_reuses_line),
	};

#if !defined(__x86_64__)
	(void)check_cases;
	(void)check_loops;
#endif
	return cmocka_run_group_tests(tests, NULL, NULL);
}
