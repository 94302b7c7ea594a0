/* The same on aarch64, wherever memspy is built. */
#define BEFORE_ALL ""
#include "unit/decode/cases.h"

#include "../../../src/decode/decode.c"

#include "../../../src/decode/aarch64/one.c"

#define AT __LINE__

/* Register k holds (k + 1) * 0x10000000; the stack pointer is 31. */
static const struct decode_case cases[] = {
	{ AT, "ldr x0,[x0]", "000040f9|1f2003d5", "after -4: read 8 at 0x10000000 (left)" },
	{ AT, "adrp x0, 0x420000; ldr x0,[x0,#32]", "000100b0 001040f9|1f2003d5",
	  "after -4: read 8 at 0x420020" },
	{ AT, "adrp x1, 0x420000; ldr x0,[x0,#32]", "010100b0 001040f9|1f2003d5",
	  "after -4: read 8 at 0x10000020 (left)" },
	{ AT, "ldr x1,[x2,#24]", "410c40f9|1f2003d5", "after -4: read 8 at 0x30000018" },
	{ AT, "ldr x1,[x2,x3,lsl #3]", "417863f8|1f2003d5", "after -4: read 8 at 0x230000000" },
	{ AT, "ldr w1,[x2,w3,sxtw #2]", "41d863b8|1f2003d5", "after -4: read 4 at 0x130000000" },
	{ AT, "ldr w1,[x2,w3,uxtw]", "414863b8|1f2003d5", "after -4: read 4 at 0x70000000" },
	{ AT, "ldr x1,[x2],#8", "418440f8|1f2003d5", "after -4: read 8 at 0x2ffffff8" },
	{ AT, "ldr x1,[x2,#8]!", "418c40f8|1f2003d5", "after -4: read 8 at 0x30000000" },
	{ AT, "ldp x1,x2,[x3,#-16]", "61087fa9|1f2003d5", "after -4: read 16 at 0x3ffffff0" },
	{ AT, "stp x29,x30,[sp,#-32]!", "fd7bbea9|1f2003d5",
	  "after -4: write 16 at 0x200000000 local" },
	{ AT, "ldr d0,[x1]; fadd d1,d0,d2", "200040fd 0128621e|1f2003d5",
	  "user -8: read 8 at 0x20000000" },
	{ AT, "ldr w5,[x2,x4,lsl #2]; fadd d0,d0,d1; str d0,[x1,x5,lsl #3]: led there",
	  "457864b8 0028611e 207825fc|84040091 9f0003eb 61ffff54",
	  "after -4: write 8 at 0x320000000" },
	{ AT, "ldr d2,[x2,x4,lsl #3]; fadd d0,d2,d1; str d0,[x1,x4,lsl #3]: in order",
	  "427864fc 4028611e 207824fc|84040091 9f0003eb 61ffff54", "compute" },
	{ AT, "ldr d2,[x2],#16 in a loop", "420441fc|9f0003eb c1ffff54",
	  "after -4: read 8 at 0x2ffffff0, on by 16" },
	{ AT, "ldr d2,[x2,x4,lsl #3]; add x4,x4,#1; cmp; b.ne",
	  "427864fc|84040091 9f0003eb a1ffff54", "after -4: read 8 at 0x2b0000000, on by 8" },
	{ AT, "ldr d2,[x2]; sub x2,x2,#8; cmp; b.ne", "420040fd|422000d1 9f0003eb a1ffff54",
	  "after -4: read 8 at 0x30000000, on by -8" },
	{ AT, "ldr x1, literal", "01020058|1f2003d5", "after -4: read 8 at 0x40003c" },
	{ AT, "ldadd x1,x2,[x3]", "620021f8|1f2003d5", "after -4: modify 8 at 0x40000000" },
	{ AT, "ldxr x1,[x2]", "417c5fc8|1f2003d5", "after -4: read 8 at 0x30000000" },
	{ AT, "stxr w3,x1,[x2]", "417c03c8|1f2003d5", "after -4: write 8 at 0x30000000" },
	{ AT, "ld1 {v0.16b},[x1]", "2070404c|1f2003d5", "after -4: read 16 at 0x20000000" },
	{ AT, "ld1 {v0.16b},[x1],#16", "2070df4c|1f2003d5", "after -4: read 16 at 0x0 (none)" },
	{ AT, "dc zva,x3", "23740bd5|1f2003d5", "after -4: write 64 at 0x40000000" },
	{ AT, "prfm", "000080f9|1f2003d5", "compute" },
	{ AT, "add x0,x1,x2", "2000028b|1f2003d5", "compute" },
	{ AT, "svc #0", "010000d4|1f2003d5", "kernel" },
	{ AT, "ret", "c0035fd6|1f2003d5", "compute" },
	{ AT, "b", "02000014|1f2003d5", "compute" },
	{ AT, "cas x1,x2,[x3]", "627ca1c8|1f2003d5", "after -4: modify 8 at 0x40000000" },
	{ AT, "ldr x1,[x2]; cbz x1", "410040f9 410000b4|1f2003d5",
	  "user -8: read 8 at 0x30000000" },
	{ AT, "ldr x1,[x2]; mov x5,x6: retire together", "410040f9 e50306aa|1f2003d5",
	  "user -8: read 8 at 0x30000000" },
	{ AT, "ldr x1,[x2]; add x2,x2,#16; mov x7,x6: its address is known",
	  "410040f9 42400091 e70306aa|1f2003d5", "user -12: read 8 at 0x2ffffff0" },
	{ AT, "ldr x1,[x2]; mov; mov; add x8,x1,x6: used late",
	  "410040f9 e50306aa e70306aa 2800068b|1f2003d5", "user -16: read 8 at 0x30000000" },
	{ AT, "ldr x1,[x2]; add x1,x1,x3; mov; add x8,x1,x6: uses what was computed",
	  "410040f9 2100038b e70306aa 2800068b|1f2003d5", "compute" },
	{ AT, "ldr x1,[x2]; fmul d1,d2,d3; mov x7,x6: after the multiplication",
	  "410040f9 4108631e e70306aa|1f2003d5", "compute" },
	{ AT, "str x1,[x2]; mov x7,x6: not by columns", "410000f9 e70306aa|1f2003d5", "compute" },
	{ AT, "ldr d0,[x7,x1]; mov; add; fadd; str d0,[x6,x1]; add x1,x1,x3: the load",
	  "e06861fc e20300aa|00040091 0028601e c06821fc 2100038b bf0000eb 21ffff54",
	  "user -8: read 8 at 0xa0000000, on by r3" },
	{ AT, "the same: the store",
	  "e06861fc e20300aa 00040091 0028601e c06821fc|2100038b bf0000eb 21ffff54",
	  "after -4: write 8 at 0x90000000, on by r3" },
	{ AT, "ldr d1,[x1],#8; str d1,[x2]; add x2,x2,x3: transposes",
	  "218440fc 410000fd|4200038b 3f0004eb 81ffff54",
	  "after -4: write 8 at 0x30000000, on by r3" },
	{ AT, "ldr d1,[x1],#8; str d1,[x2]; add x2,x2,#4096: the same",
	  "218440fc 410000fd|42044091 3f0004eb 81ffff54",
	  "after -4: write 8 at 0x30000000, on by a line or more" },
	{ AT, "add w4,w3,w5; strb w4,[x0,x3]; add x3,x3,#64: a byte of each line",
	  "6400050b 04682338|63000191 3f0003eb 81ffff54",
	  "after -4: write 1 at 0x50000000, on by a line or more" },
	{ AT, "str x1,[x2,#8]", "410400f9|1f2003d5", "after -4: write 8 at 0x30000008" },
	{ AT, "ldrb w0,[x0]", "00004039|1f2003d5", "after -4: read 1 at 0x0 (none)" },
	{ AT, "ldr x1,[x1,x2]", "216862f8|1f2003d5", "after -4: read 8 at 0x30000000 (about)" },
	{ AT, "strb w1,[sp,x4]", "e16b2438|1f2003d5", "after -4: write 1 at 0x250000000" },
	{ AT, "ldr q3,[x7,#32]", "e308c03d|1f2003d5", "after -4: read 16 at 0x80000020" },
	{ AT, "udf: no code", "00000000|1f2003d5", "unknown" },
};

static void finds_the_load_or_store(void **state)
{
	(void)state;
	check_cases(cases, MS_COUNT(cases));
}

/* The time of an iteration whose data is in the first-level cache. */
static const struct decode_case loops[] = {
	{ AT, "ldr x0,[x0]; subs x1,x1,#1; b.ne: a list", "000040f9|210400f1 c1ffff54",
	  "3 instructions from -4, 4 cycles, chained" },
	{ AT, "ldr w3,[x5],#4; ldr d1,[x0,x3,lsl #3]; fadd d0,d0,d1: a gather",
	  "a34440b8 017863fc|0028611e bf0006eb 81ffff54", "5 instructions from -8, 2 cycles" },
	{ AT, "fmadd d0,d0,d1,d2; subs; b.ne", "0008411f|210400f1 c1ffff54",
	  "3 instructions from -4, 4 cycles" },
	{ AT, "ldr w5,[x7,x2,lsl #2]; cmp w5,w6; b.hi; add x2,x2,x4; lsr: a binary search",
	  "e57862b8|bf00066b 48000054 4200048b 42fc41d3 210400f1 41ffff54",
	  "7 instructions from -4, 2 cycles, chained" },
	{ AT, "ldrh w3,[x0,#56]; ldr x2,[x0]; add x0,x2,x3: a load of each node",
	  "03704079|020040f9 4000038b 210400f1 81ffff54",
	  "5 instructions from -4, 5 cycles, chained" },
	{ AT, "ldr x1,[x2]; no loop", "410040f9|1f2003d5", "no loop" },
};

static void times_loops(void **state)
{
	(void)state;
	check_loops(loops, MS_COUNT(loops));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_load_or_store),
		cmocka_unit_test(stride_reuses_line),
		cmocka_unit_test(times_loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
