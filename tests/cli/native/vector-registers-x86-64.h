/* vector-registers-x86-64.h - for vector-registers.c: all of AVX-512's registers, or AVX's where
 * there are no more. */
#ifndef MS_TEST_WIDE_X86_64_H
#define MS_TEST_WIDE_X86_64_H

#include <immintrin.h>

/* zmm0 to zmm31 and k0 to k7, or ymm0 to ymm15, one after the other. */
enum { REGISTERS = 32, LONGEST = 64, MASKS = 8, MOST_BYTES = REGISTERS * LONGEST + MASKS * 8 };
enum { SHORT_REGISTERS = 16, SHORT = 32 };

struct state {
	unsigned char *in, *out;
	uint64_t rounds;
	void *bad;
	uint64_t memory[4];
};

static int has_longest(void)
{
	return __builtin_cpu_supports("avx512bw") != 0;
}

static int wide_has(void)
{
	return __builtin_cpu_supports("avx") != 0;
}

static size_t wide_bytes(void)
{
	return has_longest() ? MOST_BYTES : SHORT_REGISTERS * SHORT;
}

static void wide_name(size_t at, char *name)
{
	if (!has_longest())
		sprintf(name, "ymm%zu", at / SHORT);
	else if (at < REGISTERS * LONGEST)
		sprintf(name, "zmm%zu", at / LONGEST);
	else
		sprintf(name, "k%zu", (at - REGISTERS * LONGEST) / 8);
}

static void wide_fill(unsigned char *to, uint32_t seed)
{
	uint32_t x = seed * 2654435761u + 1;

	for (size_t i = 0; i < MOST_BYTES; i++) {
		x = x * 1664525 + 1013904223;
		to[i] = (unsigned char)(x >> 24);
	}
}

/* --- what lives meanwhile --- */

void wide_keep_512(struct state *at), wide_keep_256(struct state *at);
extern const char wide_may_fault[], wide_fault_over[];

/* at in rdi; plain code in between: loads and stores, calls, flags, and a load that may fault. */
__asm__(".macro each_z load, base\n"
	".irp n, "
	"0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n"
	".if \\load\n vmovdqu64 64*\\n(\\base), %zmm\\n\n"
	".else\n vmovdqu64 %zmm\\n, 64*\\n(\\base)\n .endif\n"
	".endr\n"
	".irp n, 0,1,2,3,4,5,6,7\n"
	".if \\load\n kmovq 2048+8*\\n(\\base), %k\\n\n"
	".else\n kmovq %k\\n, 2048+8*\\n(\\base)\n .endif\n"
	".endr\n"
	".endm\n"
	".macro each_y load, base\n"
	".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	".if \\load\n vmovdqu 32*\\n(\\base), %ymm\\n\n"
	".else\n vmovdqu %ymm\\n, 32*\\n(\\base)\n .endif\n"
	".endr\n"
	".endm\n"
	".text\n"
	".globl wide_keep_512, wide_keep_256, wide_may_fault, wide_fault_over\n"
	"wide_keep_512: movq (%rdi), %rax\n each_z 1, %rax\n call 1f\n"
	"movq 8(%rdi), %rax\n each_z 0, %rax\n vzeroupper\n ret\n"
	"wide_keep_256: movq (%rdi), %rax\n each_y 1, %rax\n call 1f\n"
	"movq 8(%rdi), %rax\n each_y 0, %rax\n vzeroupper\n ret\n"
	"1: movq 16(%rdi), %rcx\n movq 24(%rdi), %rsi\n leaq 4f(%rip), %rdx\n"
	"wide_may_fault: movq (%rsi), %rax\n"
	"wide_fault_over:\n"
	"2: movq 32(%rdi), %rax\n addq 40(%rdi), %rax\n movq %rax, 32(%rdi)\n"
	"call *%rdx\n call 4f\n decq %rcx\n jne 2b\n ret\n"
	"4: addq %rax, 48(%rdi)\n ret\n");

static void wide_keep(struct state *at)
{
	if (has_longest())
		wide_keep_512(at);
	else
		wide_keep_256(at);
}

/* A handler may use them all. */
static void wide_clobber(void)
{
	if (has_longest())
		__asm__ volatile(".irp n, "
				 "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,"
				 "25,26,27,28,29,30,31\n"
				 "vpternlogd $255, %%zmm\\n, %%zmm\\n, %%zmm\\n\n"
				 ".endr\n"
				 ".irp n, 0,1,2,3,4,5,6,7\n kxnorq %%k\\n, %%k\\n, %%k\\n\n .endr\n"
				 "vzeroupper\n" ::
					 : "memory");
	else
		__asm__ volatile(".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
				 "vxorps %%ymm\\n, %%ymm\\n, %%ymm\\n\n .endr\n"
				 "vzeroupper\n" ::
					 : "memory");
}

static void wide_step_over(void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	if (r[REG_RIP] != (greg_t)wide_may_fault)
		abort();
	r[REG_RIP] = (greg_t)wide_fault_over;
}

/* --- loops --- */

enum { ITEMS = 5000 };
static double a[ITEMS], b[ITEMS], c[ITEMS];
static int64_t at[ITEMS];

/* Of the elements where b is not too large; by gathers and scatters under masks; and what a mask
 * lets through, packed. */
__attribute__((target("avx512f,avx512bw,avx512vl"))) static void loops_512(void)
{
	double *to = c;

	for (size_t i = 0; i < ITEMS; i += 8) {
		__m512d x = _mm512_loadu_pd(a + i), y = _mm512_loadu_pd(b + i);
		__m512i index = _mm512_loadu_si512(at + i);
		__mmask8 small = _mm512_cmp_pd_mask(y, _mm512_set1_pd(8), _CMP_LT_OQ);

		_mm512_mask_storeu_pd(a + i, small, _mm512_fmadd_pd(x, y, x));
		y = _mm512_mask_i64gather_pd(y, (__mmask8)~small, index, b, 8);
		_mm512_mask_i64scatter_pd(b, 0x5a, index, _mm512_add_pd(y, x), 8);
		_mm512_mask_compressstoreu_pd(to, small, x);
		to += __builtin_popcount(small);
	}
}

__attribute__((target("avx"))) static void loops_256(void)
{
	for (size_t i = 0; i < ITEMS; i += 4) {
		__m256d x = _mm256_loadu_pd(a + i), y = _mm256_loadu_pd(b + i);
		__m256i small =
			_mm256_castpd_si256(_mm256_cmp_pd(y, _mm256_set1_pd(8), _CMP_LT_OQ));

		_mm256_maskstore_pd(a + i, small, _mm256_add_pd(_mm256_mul_pd(x, y), x));
		_mm256_storeu_pd(c + i, _mm256_maskload_pd(b + i, small));
	}
}

static void wide_loops(void)
{
	double sum = 0;

	for (uint32_t i = 0; i < ITEMS; i++) {
		a[i] = i % 17;
		b[i] = i % 13;
		at[i] = (int64_t)((uint64_t)i * 4099 % ITEMS);
	}
	for (int round = 0; round < 200; round++) {
		if (has_longest())
			loops_512();
		else
			loops_256();
		for (size_t i = 0; i < ITEMS; i++) {
			a[i] = a[i] > 1e6 ? 1 : a[i];
			b[i] = b[i] > 13 ? 2 : b[i];
		}
	}
	for (size_t i = 0; i < ITEMS; i++)
		sum = sum * 0.999 + a[i] + b[i] * 3 + c[i];
	printf("loops %.17g\n", sum);
}

#endif
