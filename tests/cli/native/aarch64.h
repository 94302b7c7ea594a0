/* aarch64.h - for windows.c: instructions by hand. */
#ifndef MS_TEST_AARCH64_H
#define MS_TEST_AARCH64_H

#include <asm/hwcap.h>
#include <sys/auxv.h>

static unsigned char from[100000] __attribute__((aligned(64))), to[100000];

static void fill(void)
{
	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)(i * 7 + (i >> 8));
}

/* Flags live through loads and stores, and from block to block. */
static void flags(void)
{
	uint64_t low = 1, high = 0, seen = 0, memory[2] = { 3, 5 };

	for (uint64_t i = 0; i < 5000; i++) {
		uint64_t nzcv;

		__asm__ volatile("adds %0, %0, %3\n ldr x9, [%4]\n str x9, [%4, #8]\n b 1f\n 1: "
				 "adc %1, %1, xzr\n"
				 "cmp %0, %3\n ldp x9, x10, [%4]\n b.hi 2f\n stp x10, x9, [%4]\n "
				 "2: mrs %2, nzcv\n"
				 : "+r"(low), "+r"(high), "=r"(nzcv)
				 : "r"(UINT64_C(0x9e3779b97f4a7c15) + i), "r"(memory)
				 : "x9", "x10", "cc", "memory");
		seen = seen * 31 + nzcv;
	}
	printf("flags %llx %llx %llx %llx\n", (unsigned long long)low, (unsigned long long)high,
	       (unsigned long long)seen, (unsigned long long)memory[0]);
}

static void strings(void)
{
	uint64_t sum = 0;

	fill();
	for (size_t n = 0; n < 3000; n += n / 8 + 1) {
		memset(to, (int)n, sizeof(to));
		memmove(to + n % 13, from + n % 7, n * 30);
		memmove(to + 5, to, n);
		sum = sum * 31 + sum_of(to, sizeof(to));
		memset(to + n, 0, sizeof(to) - n); /* dc zva */
		sum += strlen((char *)from + 1 + n) + sum_of(to, sizeof(to));
	}
	printf("strings %llx\n", (unsigned long long)sum);
}

/* Every way to name a place, also by the register that the tracer takes for itself. */
static uint64_t single(uint64_t *at, uint64_t i)
{
	uint64_t sum = 0;

	__asm__ volatile(
		"ldr x9, [%1]\n add %0, %0, x9\n ldr x9, [%1, #4096]\n add %0, %0, x9\n"
		"ldr w9, [%1, %2, lsl #2]\n add %0, %0, x9\n ldr x9, [%1, %w2, sxtw #3]\n"
		"ldrsb x9, [%1, #3]\n add %0, %0, x9\n ldursw x9, [%1, #5]\n add %0, %0, x9\n"
		"mov x10, %1\n ldr x9, [x10, #16]!\n add %0, %0, x9\n ldrh w9, [x10], #-8\n add "
		"%0, %0, x9\n"
		"ldrsh w9, [x10, #2]\n add %0, %0, x9\n strb w9, [x10, %2]\n str x9, [x10, #-8]!\n"
		"ldp x9, x11, [%1, #-16]\n eor %0, %0, x9\n add %0, %0, x11\n ldpsw x9, x11, "
		"[x10], #24\n"
		"stp x9, x11, [x10, #-16]!\n add %0, %0, x9\n ldnp w9, w11, [x10]\n add %0, %0, "
		"x11\n"
		"ldar x9, [%1]\n stlr x9, [%1]\n add %0, %0, x9\n prfm pldl1keep, [%1, #64]\n"
		"ldr x9, 1f\n add %0, %0, x9\n adr x9, 1f\n ldrsw x9, [x9]\n add %0, %0, x9\n b "
		"2f\n"
		".balign 8\n 1: .quad 0x123456789abcdef\n 2:\n"
		: "+r"(sum)
		: "r"(at), "r"(i)
		: "x9", "x10", "x11", "memory");
	return sum;
}

static uint64_t by_x18(uint64_t *at)
{
	uint64_t sum = 0;

	__asm__ volatile("mov x18, %1\n ldr x9, [x18, #8]\n ldp x17, x18, [x18]\n add %0, %0, "
			 "x18\n add %0, x17, %0\n"
			 "cbz x18, 1f\n add %0, %0, #1\n 1: tbnz x18, #3, 2f\n add %0, %0, #2\n 2: "
			 "adr x18, 3f\n br x18\n"
			 "add %0, %0, #4\n 3: mov x18, %1\n ldr x18, [x18, #16]!\n add %0, %0, "
			 "x18\n mov x18, #-2\n"
			 "str x18, [%1, #24]\n adds x18, x18, #2\n b.ne 4f\n add %0, %0, #8\n 4: "
			 "adr x18, 5f\n blr x18\n"
			 "5: add x18, x18, x30\n sub x18, x18, x30, lsl #1\n add %0, %0, x18\n"
			 : "+r"(sum)
			 : "r"(at)
			 : "x9", "x17", "x18", "x30", "cc", "memory");
	return sum;
}

static uint64_t exclusives(uint64_t *at)
{
	uint64_t sum = 0;

	__asm__ volatile("1: ldxr x9, [%1]\n add x9, x9, #3\n stxr w10, x9, [%1]\n cbnz w10, 1b\n"
			 "2: ldaxp x9, x11, [%1]\n cmp x9, x11\n b.eq 3f\n stlxp w10, x11, x9, "
			 "[%1]\n cbnz w10, 2b\n"
			 "3: ldaxrb w9, [%1]\n stlxrb w10, w9, [%1]\n clrex\n add %0, %0, x9\n"
			 /* 16 bytes that are not those expected are written as they were. */
			 "4: ldaxp x9, x11, [%1]\n cmp x9, x11\n b.ne 5f\n stlxp w10, xzr, x11, "
			 "[%1]\n cbnz w10, 4b\n b 6f\n"
			 "5: stlxp w10, x9, x11, [%1]\n cbnz w10, 4b\n add x9, x9, #1\n 6: add %0, "
			 "%0, x9\n"
			 : "+r"(sum)
			 : "r"(at)
			 : "x9", "x10", "x11", "cc", "memory");
	return sum;
}

static uint64_t atomics(uint64_t *at)
{
	uint64_t sum = 1;

	if (!(getauxval(AT_HWCAP) & HWCAP_ATOMICS))
		return 0;
	__asm__ volatile(
		".arch_extension lse\n ldadd x9, x9, [%1]\n mov x9, #7\n ldaddal x9, x10, [%1]\n "
		"add %0, %0, x10\n"
		"swp w10, w9, [%1]\n stset x10, [%1]\n ldumaxb w9, w10, [%1]\n add %0, %0, x10\n"
		"mov x10, x9\n cas x10, x9, [%1]\n mov x2, #1\n mov x3, #2\n ldp x4, x5, [%1]\n"
		"casp x4, x5, x2, x3, [%1]\n add %0, %0, x4\n ldclr x2, x9, [%1]\n add %0, %0, x9\n"
		: "+r"(sum)
		: "r"(at)
		: "x2", "x3", "x4", "x5", "x9", "x10", "memory");
	return sum;
}

static void operands(void)
{
	static uint64_t place[600] __attribute__((aligned(16)));
	uint64_t sum = 0;

	for (uint64_t i = 0; i < 600; i++)
		place[i] = i * UINT64_C(0x0101010701010101);
	for (uint64_t i = 0; i < 300; i++) {
		sum = sum * 31 + single(place + 8 + i % 40, i % 32);
		sum = sum * 31 + by_x18(place + i % 60);
		sum = sum * 31 + exclusives(place + i % 60 * 2);
	}
	printf("operands %llx %llx\n", (unsigned long long)(atomics(place) != 7),
	       (unsigned long long)sum_of(place, sizeof(place)));
}

static long leaf(long n)
{
	return n * 3 + 1;
}

/* Pointers to code that are signed. */
static long signed_calls(long n)
{
	long result = n;

	if (!(getauxval(AT_HWCAP) & HWCAP_PACA))
		return n * 3 + 1;
	__asm__ volatile(".arch_extension pauth\n adr x9, 1f\n mov x10, #5\n pacia x9, x10\n blraa "
			 "x9, x10\n b 3f\n"
			 "1: paciasp\n sub sp, sp, #16\n str x30, [sp]\n adr x9, 2f\n pacizb x9\n "
			 "blrabz x9\n"
			 "ldr x30, [sp]\n add sp, sp, #16\n retaa\n"
			 "2: add %0, %0, %0, lsl #1\n add %0, %0, #1\n mov x16, x30\n pacia x16, "
			 "x10\n braa x16, x10\n 3:\n"
			 : "+r"(result)
			 :
			 : "x9", "x10", "x16", "x30", "memory");
	return result;
}

static long again(long n)
{
	return n <= 0 ? 1 : again(n - 1) + again(n - 3);
}

static void branches(void)
{
	long (*volatile way)(long) = leaf;
	long sum = 0;

	for (long i = 0; i < 2000; i++) {
		way = i % 3 ? leaf : signed_calls;
		sum = sum * 31 + way(i) + (i & 64 ? 1 : 2);
		switch (i % 7) {
		case 0:
			sum += 5;
			break;
		case 1:
			sum ^= i;
			break;
		case 2:
			sum -= 9;
			break;
		case 3:
			sum = ~sum;
			break;
		case 4:
			sum += leaf(i);
			break;
		default:
			break;
		}
	}
	printf("branches %lx %ld\n", sum, again(18));
}

static void vectors(void)
{
	static unsigned char out[512] __attribute__((aligned(16)));

	fill();
	for (size_t i = 0; i < 100; i++)
		__asm__ volatile(
			"mov x9, %0\n mov x10, %1\n ld1 {v0.16b-v3.16b}, [x9], #64\n ld2 {v4.8h, "
			"v5.8h}, [x9]\n"
			"ld3 {v6.4s-v8.4s}, [x9], %2\n ld4 {v16.8b-v19.8b}, [x9]\n ld1 {v0.b}[3], "
			"[x9], #1\n"
			"ld2r {v20.2d, v21.2d}, [x9]\n ld3 {v6.s-v8.s}[1], [x9]\n ldp q22, q23, "
			"[x9, #32]\n"
			"ldr q24, [x9, #48]\n ldr s25, [x9, x11, lsl #2]\n ldur d26, [x9, #-7]\n"
			"st1 {v0.16b-v3.16b}, [x10], #64\n st2 {v4.8h, v5.8h}, [x10], #32\n st3 "
			"{v6.4s-v8.4s}, [x10]\n"
			"st4 {v16.8b-v19.8b}, [x10], #32\n st1 {v20.d}[1], [x10], #8\n stp q22, "
			"q23, [x10, #48]\n"
			"str q24, [x10, #72]!\n stp d25, d26, [x10, #16]\n str b26, [x10, #40]\n"
			"umov w9, v0.b[3]\n strb w9, [x10, #41]\n scvtf d0, x9\n fcvtzs x9, d0\n "
			"str x9, [x10, #48]\n"
			:
			: "r"(from + i), "r"(out), "r"(i)
			: "x9", "x10", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v16",
			  "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
			  "memory");
	printf("vectors %llx\n", (unsigned long long)sum_of(out, sizeof(out)));
}

/* --- faults --- */

static volatile long seen;
static unsigned char *page;

static void repair(int signal, siginfo_t *info, void *context)
{
	mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;

	(void)signal;
	seen++;
	if ((unsigned char *)info->si_addr >= page &&
	    (unsigned char *)info->si_addr < page + 8192) {
		mprotect(page, 8192, PROT_READ | PROT_WRITE);
		return;
	}
	m->pc += 4;
	m->regs[2] = m->regs[20] + m->regs[18]; /* every register is the program's */
}

static void faults(void)
{
	struct sigaction action = { .sa_sigaction = repair, .sa_flags = SA_SIGINFO };
	uint64_t sum = 0;

	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &action, NULL);
	for (uint64_t i = 0; i < 20; i++)
		__asm__ volatile("mov x20, %1\n mov x18, #0x111\n mov x9, #8\n mov x10, #0x222\n"
				 "ldr x2, [x9]\n add %0, %0, x2\n add %0, %0, x18\n add %0, %0, "
				 "x10\n add %0, %0, x9\n"
				 "1: ldxr x11, [x9]\n stxr w12, x11, [x9]\n add %0, %0, x2\n"
				 : "+r"(sum)
				 : "r"(i)
				 : "x2", "x9", "x10", "x11", "x12", "x18", "x20", "memory");
	printf("faults %llu\n", (unsigned long long)sum);
	for (int i = 0; i < 100; i++) { /* a write barrier */
		mprotect(page, 4096, PROT_READ);
		page[64] = (unsigned char)i;
		*(volatile uint64_t *)(page + 64) += 3;
	}
	printf("barrier %ld %d\n", seen, page[64]);
}

/* mov x1, i; add x0, x0, x1; ret */
static void make_adder(unsigned char *code, int i)
{
	uint32_t text[] = { 0xd2800001 | (uint32_t)i << 5, 0x8b010000, 0xd65f03c0 };

	memcpy(code, text, sizeof(text));
}

#endif
