/* The decoder of A64 instructions, wherever memspy is built: assembled words, and what each reads,
 * writes and refers to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"

#include "../../../frontends/native/tracer/aarch64/instruction_decoder.c"

static const char *const kinds[] = {
	[MS_TRACER_INSN_PLAIN] = "plain",     [MS_TRACER_INSN_ADDRESS] = "address",
	[MS_TRACER_INSN_LITERAL] = "literal", [MS_TRACER_INSN_EXCLUSIVE] = "exclusive",
	[MS_TRACER_INSN_JUMP] = "jump",       [MS_TRACER_INSN_EXCLUSIVE_STORE] = "exclusive-store",
	[MS_TRACER_INSN_BRANCH] = "branch",   [MS_TRACER_INSN_CALL] = "call",
	[MS_TRACER_INSN_RETURN] = "return",   [MS_TRACER_INSN_INDIRECT_JUMP] = "indirect-jump",
	[MS_TRACER_INSN_SYSCALL] = "system",  [MS_TRACER_INSN_INDIRECT_CALL] = "indirect-call",
	[MS_TRACER_INSN_REQUEST] = "request", [MS_TRACER_INSN_UNKNOWN] = "unknown",
};

static size_t add_regs(char *to, size_t n, char mark, uint32_t regs)
{
	for (unsigned r = 0; r < 31; r++)
		if (regs >> r & 1)
			n += (size_t)sprintf(to + n, " %c%u", mark, r);
	return n;
}

/* "plain <2 >1 R8": its kind, registers that it reads and writes, references, where it goes. */
static const char *describe(uint32_t word, bool one_processor)
{
	static char text[200];
	struct ms_tracer_insn in;
	size_t n;

	ms_tracer_decode_word(&in, 0x10000, word, one_processor);
	n = (size_t)sprintf(text, "%s", kinds[in.kind]);
	n = add_regs(text, n, '<', in.use);
	n = add_regs(text, n, '>', in.def);
	for (uint32_t k = 0; k < in.refs; k++)
		n += (size_t)sprintf(text + n, " %c%u",
				     "RWM"[k == 0 ? in.kind_first : in.kind_other], in.size);
	if (in.refs > 1 && in.step == 0)
		n += (size_t)sprintf(text + n, " same");
	if (in.refs != 0 && in.mode == MS_TRACER_MODE_INDEX)
		n += (size_t)sprintf(text + n, " index %u<<%u", in.extend, in.shift);
	if (in.offset != 0)
		n += (size_t)sprintf(text + n, " at %d", in.offset);
	if (in.target != 0)
		n += (size_t)sprintf(text + n, " to %lld", (long long)(in.target - 0x10000));
	return text;
}

static const struct {
	uint32_t word;
	const char *text, *expected;
} rows[] = {
	{ 0xf9400041, "ldr x1, [x2]", "plain <2 >1 R8" },
	{ 0xb94ffc41, "ldr w1, [x2, #4092]", "plain <2 >1 R4 at 4092" },
	{ 0x394017e3, "ldrb w3, [sp, #5]", "plain >3 R1 at 5" },
	{ 0x789fa441, "ldrsh x1, [x2], #-6", "plain <2 >1 >2 R2" },
	{ 0xf8008c41, "str x1, [x2, #8]!", "plain <1 <2 >2 W8 at 8" },
	{ 0xb81f9041, "stur w1, [x2, #-7]", "plain <1 <2 W4 at -7" },
	{ 0xf8408841, "ldtr x1, [x2, #8]", "plain <2 >1 R8 at 8" },
	{ 0xf8637841, "ldr x1, [x2, x3, lsl #3]", "plain <2 <3 >1 R8 index 3<<3" },
	{ 0xb863d841, "ldr w1, [x2, w3, sxtw #2]", "plain <2 <3 >1 R4 index 6<<2" },
	{ 0x38234841, "strb w1, [x2, w3, uxtw]", "plain <1 <2 <3 W1 index 2<<0" },
	{ 0x3dfffc41, "ldr q1, [x2, #65520]", "plain <2 R16 at 65520" },
	{ 0xfc236841, "str d1, [x2, x3]", "plain <2 <3 W8 index 3<<0" },
	{ 0x3c401441, "ldr b1, [x2], #1", "plain <2 >2 R1" },
	{ 0xf9802040, "prfm pldl1keep, [x2, #64]", "plain <2 at 64" },
	{ 0xf89fd040, "prfum pldl1keep, [x2, #-3]", "plain <2 at -3" },
	{ 0x58000081, "ldr x1, .+16", "literal >1 R8 to 16" },
	{ 0x98ffffc1, "ldrsw x1, .-8", "literal >1 R4 to -8" },
	{ 0x9c000101, "ldr q1, .+32", "literal R16 to 32" },
	{ 0xa97f0861, "ldp x1, x2, [x3, #-16]", "plain <3 >1 >2 R8 R8 at -16" },
	{ 0x29bf0be1, "stp w1, w2, [sp, #-8]!", "plain <1 <2 W4 W4 at -8" },
	{ 0x68c10861, "ldpsw x1, x2, [x3], #8", "plain <3 >1 >2 >3 R4 R4" },
	{ 0xac410861, "ldnp q1, q2, [x3, #32]", "plain <3 R16 R16 at 32" },
	{ 0x6d0127e8, "stp d8, d9, [sp, #16]", "plain W8 W8 at 16" },
	{ 0x88dffc41, "ldar w1, [x2]", "plain <2 >1 R4" },
	{ 0x489ffc41, "stlrh w1, [x2]", "plain <1 <2 W2" },
	{ 0xf8bfc041, "ldapr x1, [x2]", "plain <2 >1 R8" },
	{ 0x995f7041, "ldapur w1, [x2, #-9]", "plain <2 >1 R4 at -9" },
	{ 0x19003041, "stlurb w1, [x2, #3]", "plain <1 <2 W1 at 3" },
	{ 0xc85f7c41, "ldxr x1, [x2]", "exclusive <2 >1 R8" },
	{ 0x085fffe1, "ldaxrb w1, [sp]", "exclusive >1 R1" },
	{ 0xc8037c41, "stxr w3, x1, [x2]", "exclusive-store <1 <2 >3 W8" },
	{ 0xc87f1041, "ldxp x1, x4, [x2]", "exclusive <2 >1 >4 R16" },
	{ 0xc8239041, "stlxp w3, x1, x4, [x2]", "exclusive-store <1 <2 <4 >3 W16" },
	{ 0xc8a17c62, "cas x1, x2, [x3]", "plain <1 <2 <3 >1 M8" },
	{ 0x08e1fc62, "casalb w1, w2, [x3]", "plain <1 <2 <3 >1 M1" },
	{ 0x48227cc4, "casp x2, x3, x4, x5, [x6]", "plain <2 <3 <4 <5 <6 >2 >3 M16" },
	{ 0xf8210062, "ldadd x1, x2, [x3]", "plain <1 <3 >2 R8 M8 same" },
	{ 0xb821307f, "stset w1, [x3]", "plain <1 <3 R4 M4 same" },
	{ 0x78e18062, "swpalh w1, w2, [x3]", "plain <1 <3 >2 R2 M2 same" },
	{ 0xb86153e2, "ldsminl w1, w2, [sp]", "plain <1 >2 R4 M4 same" },
	{ 0x4cdf2020, "ld1 {v0.16b-v3.16b}, [x1], #64", "plain <1 >1 R16 R16 R16 R16" },
	{ 0x0c407020, "ld1 {v0.8b}, [x1]", "plain <1 R8" },
	{ 0x4c878424, "st2 {v4.8h, v5.8h}, [x1], x7", "plain <1 <7 >1 W16 W16" },
	{ 0x4c404926, "ld3 {v6.4s-v8.4s}, [x9]", "plain <9 R16 R16 R16" },
	{ 0x0c000130, "st4 {v16.8b-v19.8b}, [x9]", "plain <9 W8 W8 W8 W8" },
	{ 0x0ddf0d20, "ld1 {v0.b}[3], [x9], #1", "plain <9 >9 R1" },
	{ 0x0d40c534, "ld1r {v20.4h}, [x9]", "plain <9 R2" },
	{ 0x0d609120, "ld2 {v0.s, v1.s}[1], [x9]", "plain <9 R4 R4" },
	{ 0x4d83a520, "st3 {v0.d-v2.d}[1], [x9], x3", "plain <3 <9 >9 W8 W8 W8" },
	{ 0xd50b7425, "dc zva, x5", "plain <5 W64" },
	{ 0xd50b7b25, "dc cvau, x5", "plain <5" },
	{ 0x91000c41, "add x1, x2, #3", "plain <2 >1" },
	{ 0x2b030841, "adds w1, w2, w3, lsl #2", "plain <2 <3 >1" },
	{ 0x8b236be1, "add x1, sp, x3, uxtx #2", "plain <3 >1" },
	{ 0xf2a000a1, "movk x1, #5, lsl #16", "plain <1 >1" },
	{ 0xd28000a1, "movz x1, #5", "plain >1" },
	{ 0xb37d0c41, "bfi x1, x2, #3, #4", "plain <1 <2 >1" },
	{ 0xd3431841, "ubfx x1, x2, #3, #4", "plain <2 >1" },
	{ 0x93c32441, "extr x1, x2, x3, #9", "plain <2 <3 >1" },
	{ 0x9b031041, "madd x1, x2, x3, x4", "plain <2 <3 <4 >1" },
	{ 0x9a830041, "csel x1, x2, x3, eq", "plain <2 <3 >1" },
	{ 0xfa421025, "ccmp x1, x2, #5, ne", "plain <1 <2" },
	{ 0xfa471825, "ccmp x1, #7, #5, ne", "plain <1" },
	{ 0xdac01041, "clz x1, x2", "plain <2 >1" },
	{ 0x9ac30841, "udiv x1, x2, x3", "plain <2 <3 >1" },
	{ 0x9a030041, "adc x1, x2, x3", "plain <2 <3 >1" },
	{ 0xdac10041, "pacia x1, x2", "plain <1 <2 >1" },
	{ 0xdac133e1, "autiza x1", "plain <1 >1" },
	{ 0x10000061, "adr x1, .+12", "address >1 to 12" },
	{ 0xb0000021, "adrp x1, .+0x5000", "address >1 to 20480" },
	{ 0x9e620041, "scvtf d1, x2", "plain <2" },
	{ 0x9e780041, "fcvtzs x1, d2", "plain >1" },
	{ 0x9e660041, "fmov x1, d2", "plain >1" },
	{ 0x9eaf0041, "fmov v1.d[1], x2", "plain <2" },
	{ 0x1e632841, "fadd d1, d2, d3", "plain" },
	{ 0x4e040c41, "dup v1.4s, w2", "plain <2" },
	{ 0x0e073c41, "umov w1, v2.b[3]", "plain >1" },
	{ 0x6e180441, "ins v1.d[1], v2.d[0]", "plain" },
	{ 0x1f431041, "fmadd d1, d2, d3, d4", "plain" },
	{ 0xd53b4201, "mrs x1, nzcv", "plain >1" },
	{ 0xd51b4201, "msr nzcv, x1", "plain <1" },
	{ 0xd53bd041, "mrs x1, tpidr_el0", "plain >1" },
	{ 0xd51bd041, "msr tpidr_el0, x1", "unknown" },
	{ 0xd503201f, "nop", "plain" },
	{ 0xd503245f, "bti c", "plain" },
	{ 0xd503233f, "paciasp", "plain <30 >30" },
	{ 0xd503219f, "autia1716", "plain <16 <17 >17" },
	{ 0xd5033bbf, "dmb ish", "plain" },
	{ 0xd5033f5f, "clrex", "plain" },
	{ 0x14000002, "b .+8", "jump to 8" },
	{ 0x97fffffc, "bl .-16", "call >30 to -16" },
	{ 0x540000a1, "b.ne .+20", "branch to 20" },
	{ 0x540000ae, "b.al .+20", "jump to 20" },
	{ 0x34ffffe1, "cbz w1, .-4", "branch <1 to -4" },
	{ 0xb7400041, "tbnz x1, #40, .+8", "branch <1 to 8" },
	{ 0xd61f0020, "br x1", "indirect-jump <1" },
	{ 0xd63f0020, "blr x1", "indirect-call <1 >30" },
	{ 0xd65f03c0, "ret", "return <30" },
	{ 0xd65f00a0, "ret x5", "return <5" },
	{ 0xd65f0bff, "retaa", "return <30" },
	{ 0xd71f0822, "braa x1, x2", "indirect-jump <1 <2" },
	{ 0xd63f0c7f, "blrabz x3", "indirect-call <3 >30" },
	{ 0xd4000001, "svc #0", "system" },
	{ 0xd4200020, "brk #1", "unknown" },
	{ 0x00000000, "udf #0", "unknown" },
	{ 0xf8201441, "ldraa x1, [x2, #8]", "unknown" },
	{ 0xd9200841, "stg x1, [x2]", "unknown" },
	{ 0x04e20020, "add z0.d, z1.d, z2.d", "unknown" },
	{ 0xa5e0a020, "ld1d {z0.d}, p0/z, [x1]", "unknown" },
	{ 0xd503477f, "smstart", "unknown" },
	{ 0xd503427f, "smstop sm", "unknown" },
	{ 0xd51b4243, "msr svcr, x3", "unknown" },
	{ 0xd503415f, "msr dit, #1", "plain" },
	{ 0x19010440, "cpyfp [x0]!, [x1]!, x2!", "unknown" },
	{ 0xf83fd040, "ld64b x0, [x2]", "unknown" },
	{ 0xd69f03e0, "eret", "unknown" },
};

static void test_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(rows); i++) {
		const char *found = describe(rows[i].word, true);

		if (strcmp(found, rows[i].expected) != 0)
			fail_msg("%s: %s, expected %s", rows[i].text, found, rows[i].expected);
	}
}

/* With several processors an atomic instruction is one reference. */
static void test_processors(void **state)
{
	(void)state;
	assert_string_equal(describe(0xf8210062, false), "plain <1 <3 >2 M8");
	assert_string_equal(describe(0xc8a17c62, false), "plain <1 <2 <3 >1 M8");
}

static void test_zeroing(void **state)
{
	(void)state;
	ms_tracer_zero_block_bytes = 256;
	assert_string_equal(describe(0xd50b7425, true), "plain <5 W64 W64 W64 W64");
	ms_tracer_zero_block_bytes = 32;
	assert_string_equal(describe(0xd50b7425, true), "plain <5 W32");
	ms_tracer_zero_block_bytes = 64;
}

/* Any word is decoded, and never refers to more than there is room for. */
static void test_any(void **state)
{
	uint32_t word = 1;

	(void)state;
	for (uint32_t i = 0; i < 2000000; i++) {
		struct ms_tracer_insn in;

		word = word * 1664525 + 1013904223;
		ms_tracer_decode_word(&in, 0x10000, word, true);
		assert_true(in.kind <= MS_TRACER_INSN_UNKNOWN && in.refs <= 8);
		assert_true(in.refs == 0 || (in.size != 0 && in.kind != MS_TRACER_INSN_UNKNOWN));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_processors),
		cmocka_unit_test(test_zeroing),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
