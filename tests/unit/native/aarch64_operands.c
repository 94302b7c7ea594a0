/* The registers and the operation that the native front-end reports of A64 instructions, wherever
 * memspy is built. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "unit/operands_text.h"

#include "../../../frontends/native/tracer/aarch64/instruction_decoder.c"
#undef BIT
#undef BITS
#include "../../../frontends/native/tracer/aarch64/instruction_operands.c"

static const char *const names[32] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
	"x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
	"x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",
};

static const struct {
	uint32_t word;
	const char *text, *expected;
} rows[] = {
	{ 0xf9400041, "ldr x1, [x2]", "x1 = [x2] integer" },
	{ 0xf9400421, "ldr x1, [x1, #8]", "x1 = [x1] integer" },
	{ 0x394017e3, "ldrb w3, [sp, #5]", "x3 = [sp] integer" },
	{ 0xb89fc041, "ldrsw x1, [x2, #-4]", "x1 = [x2] integer" },
	{ 0xf8637841, "ldr x1, [x2, x3, lsl #3]", "x1 = [x2] [x3] integer" },
	{ 0xb863d841, "ldr w1, [x2, w3, sxtw #2]", "x1 = [x2] [x3] integer" },
	{ 0xf8408441, "ldr x1, [x2], #8", "x1 x2! = [x2] integer" },
	{ 0xf8408c41, "ldr x1, [x2, #8]!", "x1 x2! = [x2] integer" },
	{ 0xf84107e0, "ldr x0, [sp], #16", "x0 sp! = [sp] integer" },
	{ 0xf940005f, "ldr xzr, [x2]", "= [x2] integer" },
	{ 0x58000081, "ldr x1, .+16", "x1 = integer" },
	{ 0xf9000041, "str x1, [x2]", "= [x2] x1 integer" },
	{ 0xf9000021, "str x1, [x1]", "= [x1] integer" },
	{ 0xf900045f, "str xzr, [x2, #8]", "= [x2] integer" },
	{ 0xf8236841, "str x1, [x2, x3]", "= [x2] [x3] x1 integer" },
	{ 0xf8008c41, "str x1, [x2, #8]!", "x2! = [x2] x1 integer" },
	{ 0xf81f0ffe, "str x30, [sp, #-16]!", "sp! = [sp] x30 integer" },
	{ 0xb81f9041, "stur w1, [x2, #-7]", "= [x2] x1 integer" },
	{ 0xa9400861, "ldp x1, x2, [x3]", "x1 x2 = [x3] integer" },
	{ 0xa8c10861, "ldp x1, x2, [x3], #16", "x1 x2 = [x3] integer" },
	{ 0xa8c27bfd, "ldp x29, x30, [sp], #32", "x29 x30 = [sp] integer" },
	{ 0xa9000861, "stp x1, x2, [x3]", "= [x3] x1 x2 integer" },
	{ 0xa9be7bfd, "stp x29, x30, [sp, #-32]!", "sp! = [sp] x29 x30 integer" },
	{ 0x69410861, "ldpsw x1, x2, [x3, #8]", "x1 x2 = [x3] integer" },
	{ 0x3dc00441, "ldr q1, [x2, #16]", "v1 = [x2] integer" },
	{ 0xfc637841, "ldr d1, [x2, x3, lsl #3]", "v1 = [x2] [x3] integer" },
	{ 0xbc404441, "ldr s1, [x2], #4", "v1 x2! = [x2] integer" },
	{ 0x3c810441, "str q1, [x2], #16", "x2! = [x2] v1 integer" },
	{ 0xfc236841, "str d1, [x2, x3]", "= [x2] [x3] v1 integer" },
	{ 0x9c000101, "ldr q1, .+32", "v1 = integer" },
	{ 0xacc10440, "ldp q0, q1, [x2], #32", "v0 v1 = [x2] integer" },
	{ 0xad010440, "stp q0, q1, [x2, #32]", "= [x2] v0 v1 integer" },
	{ 0x4c4070a4, "ld1 {v4.16b}, [x5]", "v4 = [x5] integer" },
	{ 0x4cdfa0a4, "ld1 {v4.16b, v5.16b}, [x5], #32", "v4 v5 = [x5] integer" },
	{ 0x4d4080a4, "ld1 {v4.s}[2], [x5]", "v4 = [x5] v4 integer" },
	{ 0x4d40cca4, "ld1r {v4.2d}, [x5]", "v4 = [x5] integer" },
	{ 0x4cc688bf, "ld2 {v31.4s, v0.4s}, [x5], x6", "v31 v0 = [x5] x6 integer" },
	{ 0x4c4000a4, "ld4 {v4.16b, v5.16b, v6.16b, v7.16b}, [x5]", "v4 v5 = [x5] integer" },
	{ 0x4c9f70a4, "st1 {v4.16b}, [x5], #16", "x5! = [x5] v4 integer" },
	{ 0x4c0088a4, "st2 {v4.4s, v5.4s}, [x5]", "= [x5] v4 v5 integer" },
	{ 0x4c0008a4, "st4 {v4.4s, v5.4s, v6.4s, v7.4s}, [x5]", "= [x5] v4 v5 v6 integer" },
	{ 0xf9802040, "prfm pldl1keep, [x2, #64]", "= x2 integer" },
	{ 0xc8dffc41, "ldar x1, [x2]", "x1 = [x2] integer" },
	{ 0xc89ffc41, "stlr x1, [x2]", "= [x2] x1 integer" },
	{ 0xc85ffc41, "ldaxr x1, [x2]", "x1 = [x2] atomic" },
	{ 0xc87f0861, "ldxp x1, x2, [x3]", "x1 x2 = [x3] atomic" },
	{ 0xc8017c62, "stxr w1, x2, [x3]", "x1 = [x3] x2 atomic" },
	{ 0xc8218c82, "stlxp w1, x2, x3, [x4]", "x1 = [x4] x2 x3 atomic" },
	{ 0xc8a17c62, "cas x1, x2, [x3]", "x1 = [x3] x1 x2 atomic" },
	{ 0x48207c82, "casp x0, x1, x2, x3, [x4]", "x0 x1 = [x4] x0 x1 x2 atomic" },
	{ 0xf8210062, "ldadd x1, x2, [x3]", "x2 = [x3] x1 atomic" },
	{ 0xf821007f, "stadd x1, [x3]", "= [x3] x1 atomic" },
	{ 0xf8218062, "swp x1, x2, [x3]", "x2 = [x3] x1 atomic" },
	{ 0xf8bfc041, "ldapr x1, [x2]", "x1 = [x2] integer" },
	{ 0xd50b7423, "dc zva, x3", "= [x3] integer" },
	{ 0x10000081, "adr x1, .+16", "x1 = integer" },
	{ 0x90000001, "adrp x1, .", "x1 = integer" },
	{ 0xd28000a1, "mov x1, #5", "x1 = integer" },
	{ 0xf2a000a1, "movk x1, #5, lsl #16", "x1 = x1 integer" },
	{ 0xaa0203e1, "mov x1, x2", "x1 = x2 integer" },
	{ 0x9100005f, "mov sp, x2", "sp = x2 integer" },
	{ 0x910003e1, "mov x1, sp", "x1 = sp integer" },
	{ 0x8b030c41, "add x1, x2, x3, lsl #3", "x1 = x2 x3 integer" },
	{ 0x91002041, "add x1, x2, #8", "x1 = x2 integer" },
	{ 0x910083ff, "add sp, sp, #32", "sp = sp integer" },
	{ 0xcb234be1, "sub x1, sp, w3, uxtw #2", "x1 = x3 sp integer" },
	{ 0xab030041, "adds x1, x2, x3", "x1 flags = x2 x3 integer" },
	{ 0xeb02003f, "cmp x1, x2", "flags = x1 x2 integer" },
	{ 0xf10017ff, "cmp sp, #5", "flags = sp integer" },
	{ 0xeb2263ff, "cmp sp, x2", "flags = x2 sp integer" },
	{ 0x92401c41, "and x1, x2, #0xff", "x1 = x2 integer" },
	{ 0x927cec5f, "and sp, x2, #0xfffffffffffffff0", "sp = x2 integer" },
	{ 0xf240003f, "tst x1, #1", "flags = x1 integer" },
	{ 0xea030041, "ands x1, x2, x3", "x1 flags = x2 x3 integer" },
	{ 0x8a230041, "bic x1, x2, x3", "x1 = x2 x3 integer" },
	{ 0xd3431c41, "ubfx x1, x2, #3, #5", "x1 = x2 integer" },
	{ 0xb37d1041, "bfi x1, x2, #3, #5", "x1 = x1 x2 integer" },
	{ 0x93c31c41, "extr x1, x2, x3, #7", "x1 = x2 x3 integer" },
	{ 0x9ac32041, "lsl x1, x2, x3", "x1 = x2 x3 integer" },
	{ 0xdac01041, "clz x1, x2", "x1 = x2 integer" },
	{ 0x9a030041, "adc x1, x2, x3", "x1 = x2 x3 flags integer" },
	{ 0xfa030041, "sbcs x1, x2, x3", "x1 flags = x2 x3 flags integer" },
	{ 0x9a830041, "csel x1, x2, x3, eq", "x1 = x2 x3 flags integer" },
	{ 0x9a9f07e1, "cset x1, ne", "x1 = flags integer" },
	{ 0xfa420020, "ccmp x1, x2, #0, eq", "flags = x1 x2 flags integer" },
	{ 0xfa430820, "ccmp x1, #3, #0, eq", "flags = x1 flags integer" },
	{ 0x9b031041, "madd x1, x2, x3, x4", "x1 = x2 x3 x4 multiply" },
	{ 0x9b037c41, "mul x1, x2, x3", "x1 = x2 x3 multiply" },
	{ 0x9bc37c41, "umulh x1, x2, x3", "x1 = x2 x3 multiply" },
	{ 0x9b231041, "smaddl x1, w2, w3, x4", "x1 = x2 x3 x4 multiply" },
	{ 0x9ac30841, "udiv x1, x2, x3", "x1 = x2 x3 divide" },
	{ 0x1ac30c41, "sdiv w1, w2, w3", "x1 = x2 x3 divide" },
	{ 0x14000002, "b .+8", "= branch" },
	{ 0x54000041, "b.ne .+8", "= flags conditional-branch" },
	{ 0xb4000041, "cbz x1, .+8", "= x1 conditional-branch" },
	{ 0x37180041, "tbnz x1, #3, .+8", "= x1 conditional-branch" },
	{ 0x94000002, "bl .+8", "x30 = call" },
	{ 0xd63f0020, "blr x1", "x30 = x1 call" },
	{ 0xd61f0020, "br x1", "= x1 indirect-branch" },
	{ 0xd65f03c0, "ret", "= x30 return" },
	{ 0xd503201f, "nop", "= integer" },
	{ 0xd5033bbf, "dmb ish", "= other" },
	{ 0xd53bd041, "mrs x1, tpidr_el0", "x1 = other" },
	{ 0xd53b4201, "mrs x1, nzcv", "x1 = flags other" },
	{ 0xd51b4201, "msr nzcv, x1", "flags = x1 other" },
	{ 0xd503233f, "paciasp", "x30 = x30 other" },
	{ 0xd4000001, "svc #0", "= other" },
	{ 0x1e604041, "fmov d1, d2", "v1 = v2 vector" },
	{ 0x1e6e1001, "fmov d1, #1.0", "v1 = vector" },
	{ 0x9e660041, "fmov x1, d2", "x1 = v2 vector" },
	{ 0x9e670041, "fmov d1, x2", "v1 = x2 vector" },
	{ 0x9eaf0041, "fmov v1.d[1], x2", "v1 = x2 v1 vector" },
	{ 0x1e632841, "fadd d1, d2, d3", "v1 = v2 v3 float-add" },
	{ 0x1e230841, "fmul s1, s2, s3", "v1 = v2 v3 float-multiply" },
	{ 0x1e638841, "fnmul d1, d2, d3", "v1 = v2 v3 float-multiply" },
	{ 0x1e631841, "fdiv d1, d2, d3", "v1 = v2 v3 float-divide" },
	{ 0x1e61c041, "fsqrt d1, d2", "v1 = v2 float-divide" },
	{ 0x1f431041, "fmadd d1, d2, d3, d4", "v1 = v2 v3 v4 float-multiply" },
	{ 0x1e634841, "fmax d1, d2, d3", "v1 = v2 v3 float-add" },
	{ 0x1e60c041, "fabs d1, d2", "v1 = v2 float-add" },
	{ 0x1e22c041, "fcvt d1, s2", "v1 = v2 float-add" },
	{ 0x1e65c041, "frintz d1, d2", "v1 = v2 float-add" },
	{ 0x1e622020, "fcmp d1, d2", "flags = v1 v2 float-add" },
	{ 0x1e602028, "fcmp d1, #0.0", "flags = v1 float-add" },
	{ 0x1e620420, "fccmp d1, d2, #0, eq", "flags = v1 v2 flags float-add" },
	{ 0x1e630c41, "fcsel d1, d2, d3, eq", "v1 = v2 v3 flags float-add" },
	{ 0x9e620041, "scvtf d1, x2", "v1 = x2 float-add" },
	{ 0x9e42f041, "scvtf d1, x2, #4", "v1 = x2 float-add" },
	{ 0x9e780041, "fcvtzs x1, d2", "x1 = v2 float-add" },
	{ 0x1e19f041, "fcvtzu w1, s2, #4", "x1 = v2 float-add" },
	{ 0x4f000401, "movi v1.4s, #0", "v1 = vector" },
	{ 0x4f001421, "orr v1.4s, #1", "v1 = v1 vector" },
	{ 0x6f009421, "bic v1.8h, #1", "v1 = v1 vector" },
	{ 0x6f000421, "mvni v1.4s, #1", "v1 = vector" },
	{ 0x6f03f601, "fmov v1.2d, #1.0", "v1 = vector" },
	{ 0x4ea21c41, "mov v1.16b, v2.16b", "v1 = v2 vector" },
	{ 0x4ea38441, "add v1.4s, v2.4s, v3.4s", "v1 = v2 v3 vector" },
	{ 0x4ea39c41, "mul v1.4s, v2.4s, v3.4s", "v1 = v2 v3 vector" },
	{ 0x4ea39441, "mla v1.4s, v2.4s, v3.4s", "v1 = v2 v3 v1 vector" },
	{ 0x6e231c41, "eor v1.16b, v2.16b, v3.16b", "v1 = v2 v3 vector" },
	{ 0x6e631c41, "bsl v1.16b, v2.16b, v3.16b", "v1 = v2 v3 v1 vector" },
	{ 0x6ea31c41, "bit v1.16b, v2.16b, v3.16b", "v1 = v2 v3 v1 vector" },
	{ 0x6e238c41, "cmeq v1.16b, v2.16b, v3.16b", "v1 = v2 v3 vector" },
	{ 0x4e209841, "cmeq v1.16b, v2.16b, #0", "v1 = v2 vector" },
	{ 0x4e23bc41, "addp v1.16b, v2.16b, v3.16b", "v1 = v2 v3 vector" },
	{ 0x4e63d441, "fadd v1.2d, v2.2d, v3.2d", "v1 = v2 v3 float-add" },
	{ 0x6e63dc41, "fmul v1.2d, v2.2d, v3.2d", "v1 = v2 v3 float-multiply" },
	{ 0x4e63cc41, "fmla v1.2d, v2.2d, v3.2d", "v1 = v2 v3 v1 float-multiply" },
	{ 0x4ea3cc41, "fmls v1.4s, v2.4s, v3.4s", "v1 = v2 v3 v1 float-multiply" },
	{ 0x6e63fc41, "fdiv v1.2d, v2.2d, v3.2d", "v1 = v2 v3 float-divide" },
	{ 0x6ee1f841, "fsqrt v1.2d, v2.2d", "v1 = v2 float-divide" },
	{ 0x6ee3e441, "fcmgt v1.2d, v2.2d, v3.2d", "v1 = v2 v3 float-add" },
	{ 0x4ee0c841, "fcmgt v1.2d, v2.2d, #0.0", "v1 = v2 float-add" },
	{ 0x4fc31841, "fmla v1.2d, v2.2d, v3.d[1]", "v1 = v2 v3 v1 float-multiply" },
	{ 0x4fbf1041, "fmla v1.4s, v2.4s, v31.s[1]", "v1 = v2 v31 v1 float-multiply" },
	{ 0x4fc39841, "fmul v1.2d, v2.2d, v3.d[1]", "v1 = v2 v3 float-multiply" },
	{ 0x4f738841, "mul v1.8h, v2.8h, v3.h[7]", "v1 = v2 v3 vector" },
	{ 0x6fbf0841, "mla v1.4s, v2.4s, v31.s[3]", "v1 = v2 v31 v1 vector" },
	{ 0x0e638041, "smlal v1.4s, v2.4h, v3.4h", "v1 = v2 v3 v1 vector" },
	{ 0x0e63c041, "smull v1.4s, v2.4h, v3.4h", "v1 = v2 v3 vector" },
	{ 0x0e630041, "saddl v1.4s, v2.4h, v3.4h", "v1 = v2 v3 vector" },
	{ 0x4e634041, "addhn2 v1.8h, v2.4s, v3.4s", "v1 = v2 v3 v1 vector" },
	{ 0x0e612841, "xtn v1.4h, v2.4s", "v1 = v2 vector" },
	{ 0x4e612841, "xtn2 v1.8h, v2.4s", "v1 = v2 v1 vector" },
	{ 0x0e617841, "fcvtl v1.2d, v2.2s", "v1 = v2 float-add" },
	{ 0x4e616841, "fcvtn2 v1.4s, v2.2d", "v1 = v2 v1 float-add" },
	{ 0x4e61d841, "scvtf v1.2d, v2.2d", "v1 = v2 float-add" },
	{ 0x5e61d841, "scvtf d1, d2", "v1 = v2 float-add" },
	{ 0x4ee1b841, "fcvtzs v1.2d, v2.2d", "v1 = v2 float-add" },
	{ 0x4e61e841, "frint32z v1.2d, v2.2d", "v1 = v2 float-add" },
	{ 0x4eb1b841, "addv s1, v2.4s", "v1 = v2 vector" },
	{ 0x7e70d841, "faddp d1, v2.2d", "v1 = v2 float-add" },
	{ 0x6e30f841, "fmaxv s1, v2.4s", "v1 = v2 float-add" },
	{ 0x6e606841, "uadalp v1.4s, v2.8h", "v1 = v2 v1 vector" },
	{ 0x4ea00841, "rev64 v1.4s, v2.4s", "v1 = v2 vector" },
	{ 0x4f235441, "shl v1.4s, v2.4s, #3", "v1 = v2 vector" },
	{ 0x4f3d1441, "ssra v1.4s, v2.4s, #3", "v1 = v2 v1 vector" },
	{ 0x6f235441, "sli v1.4s, v2.4s, #3", "v1 = v2 v1 vector" },
	{ 0x0f13a441, "sshll v1.4s, v2.4h, #3", "v1 = v2 vector" },
	{ 0x4f1d8441, "shrn2 v1.8h, v2.4s, #3", "v1 = v2 v1 vector" },
	{ 0x4f7de441, "scvtf v1.2d, v2.2d, #3", "v1 = v2 float-add" },
	{ 0x4e0c0441, "dup v1.4s, v2.s[1]", "v1 = v2 vector" },
	{ 0x4e040c41, "dup v1.4s, w2", "v1 = x2 vector" },
	{ 0x6e0c0441, "mov v1.s[1], v2.s[0]", "v1 = v2 v1 vector" },
	{ 0x4e0c1c41, "mov v1.s[1], w2", "v1 = x2 v1 vector" },
	{ 0x0e0c3c41, "umov w1, v2.s[1]", "x1 = v2 vector" },
	{ 0x4e0c2c41, "smov x1, v2.s[1]", "x1 = v2 vector" },
	{ 0x4e042041, "tbl v1.16b, {v2.16b, v3.16b}, v4.16b", "v1 = v2 v3 v4 vector" },
	{ 0x4e041041, "tbx v1.16b, {v2.16b}, v4.16b", "v1 = v2 v4 v1 vector" },
	{ 0x4e833841, "zip1 v1.4s, v2.4s, v3.4s", "v1 = v2 v3 vector" },
	{ 0x6e032041, "ext v1.16b, v2.16b, v3.16b, #4", "v1 = v2 v3 vector" },
	{ 0x4e839441, "sdot v1.4s, v2.16b, v3.16b", "v1 = v2 v3 v1 vector" },
	{ 0x4fa3e041, "sdot v1.4s, v2.16b, v3.4b[1]", "v1 = v2 v3 v1 vector" },
	{ 0x4e430c41, "fmla v1.8h, v2.8h, v3.8h", "v1 = v2 v3 v1 float-multiply" },
	{ 0x4e431441, "fadd v1.8h, v2.8h, v3.8h", "v1 = v2 v3 float-add" },
	{ 0x4e284841, "aese v1.16b, v2.16b", "v1 = v2 v1 vector" },
	{ 0x4e286841, "aesmc v1.16b, v2.16b", "v1 = v2 vector" },
	{ 0x5e034041, "sha256h q1, q2, v3.4s", "v1 = v2 v3 v1 vector" },
	{ 0x5e282841, "sha256su0 v1.4s, v2.4s", "v1 = v2 v1 vector" },
	{ 0x9ac34c41, "crc32x w1, w2, x3", "x1 = x2 x3 integer" },
};

static void operands_of_instructions(void **state)
{
	(void)state;
	for (size_t i = 0; i < MS_COUNT(rows); i++) {
		struct ms_tracer_insn in;

		ms_tracer_decode_word(&in, 0x10000, rows[i].word, false);
		uint64_t operands = ms_tracer_find_operands(&in);
		if (!ms_wire_are_operands(operands) || in.kind == MS_TRACER_INSN_UNKNOWN)
			fail_msg("%s: not described", rows[i].text);
		if (strcmp(operands_text(operands, names), rows[i].expected) != 0)
			fail_msg("%s: found '%s', expected '%s'", rows[i].text,
				 operands_text(operands, names), rows[i].expected);
	}
}

/* Whatever the word: what is described is well-formed, and has the registers of the decoder. */
static void any_word(void **state)
{
	uint32_t word = 1;

	(void)state;
	for (int i = 0; i < 2000000; i++) {
		struct ms_tracer_insn in;

		word = word * 1664525 + 1013904223;
		ms_tracer_decode_word(&in, 0x10000, word, i % 2);
		if (in.kind == MS_TRACER_INSN_UNKNOWN)
			continue;
		uint64_t operands = ms_tracer_find_operands(&in);
		if (!ms_wire_are_operands(operands))
			fail_msg("0x%08x: malformed operands", word);
		for (uint32_t k = 0; k < MS_WIRE_READS; k++) {
			uint32_t reg = ms_wire_read_register(operands, k);

			if (reg != 0 && reg <= 31 && !(in.use >> (reg - 1) & 1))
				fail_msg("0x%08x: reads x%u, which it does not", word, reg - 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(operands_of_instructions),
		cmocka_unit_test(any_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
