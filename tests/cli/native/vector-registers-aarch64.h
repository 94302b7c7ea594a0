/* vector-registers-aarch64.h - for vector-registers.c: SVE. Registers of whatever length the
 * processor has, predicates and the register of first faults. */
#ifndef MS_TEST_WIDE_AARCH64_H
#define MS_TEST_WIDE_AARCH64_H

#include <asm/hwcap.h>
#include <sys/auxv.h>

/* z0 to z31, p0 to p15, ffr, one after the other. */
enum { REGISTERS = 32, PREDICATES = 17, LONGEST = 256 };
enum { MOST_BYTES = REGISTERS * LONGEST + PREDICATES * LONGEST / 8 };

struct state {
	unsigned char *in, *out;
	uint64_t rounds;
	void *bad;
	uint64_t memory[4];
};

static int wide_has(void)
{
	return (getauxval(AT_HWCAP) & HWCAP_SVE) != 0;
}

static size_t length(void)
{
	size_t n;

	__asm__(".arch_extension sve\n rdvl %0, #1" : "=r"(n));
	return n;
}

static size_t wide_bytes(void)
{
	return REGISTERS * length() + PREDICATES * length() / 8;
}

static void wide_name(size_t at, char *name)
{
	size_t n = length();

	if (at < REGISTERS * n)
		sprintf(name, "z%zu", at / n);
	else if (at < wide_bytes() - n / 8)
		sprintf(name, "p%zu", (at - REGISTERS * n) / (n / 8));
	else
		sprintf(name, "ffr");
}

/* Of ffr the elements up to one are set: others it need not hold. */
static void wide_fill(unsigned char *to, uint32_t seed)
{
	size_t n = wide_bytes(), ffr = n - length() / 8;
	uint32_t x = seed * 2654435761u + 1;

	for (size_t i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		to[i] = (unsigned char)(x >> 24);
	}
	for (size_t i = ffr; i < n; i++)
		to[i] = i == ffr ? 0x7f : 0;
}

/* --- what lives meanwhile --- */

void wide_keep(struct state *at);
/* in x0; plain code in between: loads and stores, calls, flags, and a load that may fault. */
__asm__(".arch_extension sve\n"
	".macro each_z op, base\n"
	".irp n, "
	"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
	"\\op z\\n, [\\base, #\\n, mul vl]\n"
	".endr\n"
	".endm\n"
	".macro each_p op, base\n"
	".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	"\\op p\\n, [\\base, #\\n, mul vl]\n"
	".endr\n"
	".endm\n"
	".globl wide_keep, wide_may_fault\n"
	"wide_keep: stp x29, x30, [sp, #-96]!\n"
	"stp d8, d9, [sp, #16]\n stp d10, d11, [sp, #32]\n"
	"stp d12, d13, [sp, #48]\n stp d14, d15, [sp, #64]\n"
	"ldr x9, [x0]\n addvl x10, x9, #31\n addvl x10, x10, #1\n"
	"ldr p0, [x10, #16, mul vl]\n wrffr p0.b\n"
	"each_z ldr, x9\n each_p ldr, x10\n"
	"ldr x11, [x0, #16]\n ldr x12, [x0, #24]\n add x13, x0, #32\n"
	"adr x15, 3f\n"
	"wide_may_fault: ldr x14, [x12]\n"
	"1: ldp x14, x16, [x13]\n add x14, x14, x16\n stp x16, x14, [x13]\n"
	"subs x11, x11, #1\n blr x15\n bl 3f\n b.ne 1b\n"
	"ldr x9, [x0, #8]\n addvl x10, x9, #31\n addvl x10, x10, #1\n"
	"each_z str, x9\n each_p str, x10\n"
	"rdffr p0.b\n str p0, [x10, #16, mul vl]\n"
	"ldp d8, d9, [sp, #16]\n ldp d10, d11, [sp, #32]\n"
	"ldp d12, d13, [sp, #48]\n ldp d14, d15, [sp, #64]\n"
	"ldp x29, x30, [sp], #96\n ret\n"
	"3: str x14, [x13, #16]\n ret\n");

extern const char wide_may_fault[];

/* A handler may use them all. */
static void wide_clobber(void)
{
	__asm__ volatile(".arch_extension sve\n"
			 ".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
			 "ptrue p\\n\\().b\n"
			 ".endr\n"
			 ".irp n, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
			 "dup z\\n\\().b, #85\n"
			 ".endr\n"
			 "setffr\n" ::
				 : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17",
				   "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
				   "v27", "v28", "v29", "v30", "v31");
}

static void wide_step_over(void *context)
{
	mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;

	if (m->pc != (uint64_t)wide_may_fault)
		abort();
	m->pc += 4;
}

/* --- loops --- */

enum { ITEMS = 5003 };
static double a[ITEMS], b[ITEMS], c[4 * ITEMS];
static uint32_t at[ITEMS];

/* a[i] = a[i] * b[i] + a[i], of the elements where b is not too large. */
static void contiguous(void)
{
	uint64_t i = 0;

	__asm__ volatile(".arch_extension sve\n"
			 "fmov d4, #8.0\n dup z4.d, z4.d[0]\n"
			 "whilelo p0.d, %0, %3\n"
			 "1: ld1d {z0.d}, p0/z, [%1, %0, lsl #3]\n"
			 "ld1d {z1.d}, p0/z, [%2, %0, lsl #3]\n"
			 "fcmgt p1.d, p0/z, z4.d, z1.d\n"
			 "fmla z0.d, p1/m, z0.d, z1.d\n"
			 "st1d {z0.d}, p1, [%1, %0, lsl #3]\n"
			 "incd %0\n whilelo p0.d, %0, %3\n b.first 1b\n"
			 : "+r"(i)
			 : "r"(a), "r"(b), "r"((uint64_t)ITEMS)
			 : "v0", "v1", "v4", "p0", "p1", "cc", "memory");
}

/* c[at[i]] = b[at[i]] + a[i], by gathers and scatters. */
static void scattered(void)
{
	uint64_t i = 0;

	__asm__ volatile(".arch_extension sve\n"
			 "whilelo p0.d, %0, %5\n"
			 "1: ld1w {z2.d}, p0/z, [%4, %0, lsl #2]\n"
			 "ld1d {z0.d}, p0/z, [%1, %0, lsl #3]\n"
			 "ld1d {z1.d}, p0/z, [%2, z2.d, lsl #3]\n"
			 "fadd z0.d, z0.d, z1.d\n"
			 "st1d {z0.d}, p0, [%3, z2.d, lsl #3]\n"
			 "incd %0\n whilelo p0.d, %0, %5\n b.first 1b\n"
			 : "+r"(i)
			 : "r"(a), "r"(b), "r"(c), "r"(at), "r"((uint64_t)ITEMS)
			 : "v0", "v1", "v2", "p0", "cc", "memory");
}

/* Structures of two, three and four, and one element for all. */
static void structures(void)
{
	uint64_t i = 0;

	__asm__ volatile(".arch_extension sve\n"
			 "whilelo p0.d, %0, %3\n"
			 "1: add x9, %0, %0, lsl #1\n lsl x10, %0, #2\n"
			 "ld3d {z0.d, z1.d, z2.d}, p0/z, [%2, x9, lsl #3]\n"
			 "ld1rd {z3.d}, p0/z, [%1, #16]\n"
			 "fadd z0.d, z0.d, z3.d\n"
			 "st4d {z0.d, z1.d, z2.d, z3.d}, p0, [%2, x10, lsl #3]\n"
			 "ld2d {z4.d, z5.d}, p0/z, [%2, x10, lsl #3]\n"
			 "st2w {z4.s, z5.s}, p0, [%2, x10, lsl #2]\n"
			 "incd %0\n whilelo p0.d, %0, %3\n b.first 1b\n"
			 : "+r"(i)
			 : "r"(a), "r"(c), "r"((uint64_t)ITEMS)
			 : "x9", "x10", "v0", "v1", "v2", "v3", "v4", "v5", "p0", "cc", "memory");
}

/* The length of a string that ends just before a page that is not there. */
static size_t first_faults(const char *text)
{
	size_t n = 0;

	__asm__ volatile(
		".arch_extension sve\n"
		"ptrue p0.b\n"
		"1: setffr\n ldff1b {z0.b}, p0/z, [%1, %0]\n rdffrs p1.b, p0/z\n b.nlast 2f\n"
		"cmpeq p2.b, p0/z, z0.b, #0\n b.any 3f\n incb %0\n b 1b\n"
		"2: cmpeq p2.b, p1/z, z0.b, #0\n b.any 3f\n incp %0, p1.b\n b 1b\n"
		"3: brkb p2.b, p0/z, p2.b\n incp %0, p2.b\n"
		: "+r"(n)
		: "r"(text)
		: "v0", "p0", "p1", "p2", "cc", "memory");
	return n;
}

static void wide_loops(void)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double sum = 0;
	size_t lengths = 0;

	mprotect(pages + 4096, 4096, PROT_NONE);
	memset(pages, 'x', 4095);
	for (uint32_t i = 0; i < ITEMS; i++) {
		a[i] = i % 17;
		b[i] = i % 13;
		at[i] = (uint32_t)((uint64_t)i * 4099 % ITEMS);
	}
	for (int round = 0; round < 40; round++) {
		contiguous();
		scattered();
		structures();
		for (size_t i = 0; i < 100; i++)
			lengths = lengths * 31 + first_faults(pages + 4000 - i * 7 + (size_t)round);
		for (size_t i = 0; i < ITEMS; i++)
			a[i] = a[i] > 1e6 ? 1 : a[i];
	}
	for (size_t i = 0; i < 4 * ITEMS; i++)
		sum = sum * 0.999 + (c[i] < 1e9 ? c[i] : 1);
	printf("loops %.17g %zx\n", sum, lengths);
}

#endif
