/* x86-64.h - for windows.c: instructions by hand. */
#ifndef MS_TEST_X86_64_H
#define MS_TEST_X86_64_H

#include <immintrin.h>

static unsigned char from[100000], to[100000];

static void fill(void)
{
	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (unsigned char)(i * 7 + (i >> 8));
}

/* The processor checks alignment of references, for a while, as the Java machine does
 * when it looks which processor it is: in code that is made, at an odd address. */
static void checked(void)
{
	static const unsigned char toggles[] = {
		0x9c, 0x58,                /* pushfq; pop rax */
		0x48, 0x89, 0xc1,          /* mov rcx, rax */
		0x35, 0,    0,    4,    0, /* xor eax, 0x40000 */
		0x50, 0x9d, 0xeb, 0,       /* push rax; popfq; jmp: to the next */
		0x9c, 0x58, 0xeb, 0,       /* pushfq; pop rax; jmp: to the next */
		0x51, 0x9d,                /* push rcx; popfq */
		0x48, 0x31, 0xc8, 0xc3,    /* xor rax, rcx; ret */
	};
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t changed = 0, sum = 0;

	memcpy(code + 1, toggles, sizeof(toggles));
	for (int i = 0; i < 100; i++)
		changed |= ((uint64_t(*)(void))(code + 1))();
	for (int i = 0; i < 20; i++) {
		uint64_t n = 50000; /* longer than a window */

		__asm__ volatile("pushfq\n orl $0x40000, (%%rsp)\n popfq\n"
				 "1: pushq %[n]\n addq (%%rsp), %[sum]\n popq %%rax\n"
				 "jmp 2f\n nop\n 2: decq %[n]\n jnz 1b\n"
				 "pushfq\n andl $~0x40000, (%%rsp)\n popfq\n"
				 : [n] "+r"(n), [sum] "+r"(sum)
				 :
				 : "rax", "memory", "cc");
	}
	printf("checked %llx %llx\n", (unsigned long long)changed, (unsigned long long)sum);
}

/* Flags that live through branches, calls and many blocks. */
static void flags(void)
{
	uint64_t a[64], b[64], carry = 0;

	for (int i = 0; i < 64; i++) {
		a[i] = ~0ull - (uint64_t)i * (i % 3);
		b[i] = (uint64_t)i * 0x123456789abcdefull;
	}
	for (int round = 0; round < 1000; round++) {
		long n = 64, k = 0;

		__asm__ volatile("clc\n"
				 "1: movq (%[b],%[k],8), %%rax\n"
				 "adcq %%rax, (%[a],%[k],8)\n"
				 "leaq 1(%[k]), %[k]\n"
				 "leaq -1(%[n]), %[n]\n"
				 "movq %[n], %%rcx\n"
				 "jrcxz 2f\n"
				 "jmp 1b\n"
				 "2: sbbq %[c], %[c]\n"
				 : [n] "+r"(n), [k] "+r"(k), [c] "=r"(carry)
				 : [a] "r"(a), [b] "r"(b)
				 : "rax", "rcx", "memory", "cc");
		a[0] += carry & 1;
	}
	printf("adc %llx\n", (unsigned long long)sum_of(a, sizeof(a)));
	for (int i = 0; i < 300; i++) {
		unsigned char all[6];

		__asm__ volatile("cmpl $150, %[i]\n"
				 "jmp 1f\n"
				 ".skip 40\n"
				 "1: seto (%[p])\n jmp 2f\n nop\n"
				 "2: setc 1(%[p])\n movl 4(%[p]), %%eax\n jmp 3f\n nop\n"
				 "3: setz 2(%[p])\n sets 3(%[p])\n"
				 "jl 4f\n setp 4(%[p])\n movb $9, 5(%[p])\n jmp 5f\n"
				 "4: setp 4(%[p])\n movb $8, 5(%[p])\n 5:\n"
				 :
				 : [i] "r"(i), [p] "r"(all)
				 : "rax", "memory", "cc");
		carry = carry * 31 + sum_of(all, 6);
	}
	printf("flags %llx\n", (unsigned long long)carry);
	checked();
}

#define REPEAT(text, s, d, c, a) \
	__asm__ volatile(text : "+S"(s), "+D"(d), "+c"(c) : "a"(a) : "memory", "cc")

static void strings(void)
{
	fill();
	for (size_t n = 0; n < 1200; n += n < 40 ? 1 : 37) {
		const void *s = from + n;
		void *d = to;
		size_t c = n;

		REPEAT("rep movsb", s, d, c, 0);
		printf("%llx %zu %td ", (unsigned long long)sum_of(to, 2000), c,
		       (unsigned char *)d - to);
		d = to, c = n;
		REPEAT("rep stosb", s, d, c, n);
		d = to + 100, c = n / 8;
		REPEAT("rep stosq", s, d, c, n * 77);
		s = from, d = to + 300, c = n / 4;
		REPEAT("rep movsl", s, d, c, 0);
		printf("%llx\n", (unsigned long long)sum_of(to, 2000));
	}
	const void *s = from;
	void *d = from;
	size_t c = 1000;
	REPEAT("repne scasb", s, d, c, 200);
	printf("scas %zu", c);
	memcpy(to, from, 700);
	s = from, d = to, c = 1000;
	REPEAT("repe cmpsb", s, d, c, 0);
	printf(" cmps %zu", c);
	s = from + 500, d = to + 500, c = 300;
	REPEAT("std; rep movsb; cld", s, d, c, 0);
	printf(" backwards %llx", (unsigned long long)sum_of(to, 2000));
	memcpy(to, from, 90000);
	memset(from, 3, 80000);
	printf(" large %llx\n", (unsigned long long)(sum_of(from, 100000) ^ sum_of(to, 100000)));
}

/* Operands of all kinds: constants' places, the stack, both ends of the register file. */
static uint64_t place __attribute__((used)) = 5;
static uint64_t other[2] __attribute__((used, aligned(16)));

static void operands(void)
{
	uint64_t x = 0, y = 0;

	for (int i = 0; i < 500; i++) {
		__asm__ volatile("pushq place(%%rip)\n"
				 "popq other(%%rip)\n"
				 "pushq %[x]\n"
				 "addq $3, (%%rsp)\n"
				 "pushq (%%rsp)\n"
				 "popq (%%rsp)\n"
				 "popq %[x]\n"
				 "lock addq %[x], place(%%rip)\n"
				 "xchgq %[y], other(%%rip)\n"
				 "lock xaddq %[y], 8+other(%%rip)\n"
				 "pushfq\n"
				 "popq %%rax\n"
				 "andl $0x8d5, %%eax\n"
				 "addq %%rax, %[x]\n"
				 : [x] "+r"(x), [y] "+r"(y)
				 :
				 : "rax", "memory", "cc");
		/* Every register but the stack pointer is used. */
		__asm__ volatile("movq %[x], %%rax\n"
				 "pushq %%rbp\n pushq %%rbx\n"
				 "leaq 1(%%rax), %%rbx\n leaq 2(%%rbx), %%rcx\n"
				 "leaq 3(%%rcx), %%rdx\n leaq 4(%%rdx), %%rsi\n"
				 "leaq 5(%%rsi), %%rdi\n leaq 6(%%rdi), %%r8\n"
				 "leaq 7(%%r8), %%r9\n leaq 8(%%r9), %%r10\n"
				 "leaq 9(%%r10), %%r11\n leaq 10(%%r11), %%r12\n"
				 "leaq 11(%%r12), %%r13\n leaq 12(%%r13), %%r14\n"
				 "leaq 13(%%r14), %%r15\n leaq 14(%%r15), %%rbp\n"
				 "addq place(%%rip), %%rax\n addq other(%%rip), %%rbx\n"
				 "addq %%rbx, -64(%%rsp)\n movq %%rcx, -72(%%rsp)\n"
				 "addq -72(%%rsp), %%rdx\n addq %%rdx, %%rax\n addq %%rsi, %%rax\n"
				 "addq %%rdi, %%rax\n addq %%r8, %%rax\n xorq %%r9, %%rax\n"
				 "addq %%r10, %%rax\n addq %%r11, %%rax\n xorq %%r12, %%rax\n"
				 "addq %%r13, %%rax\n addq %%r14, %%rax\n xorq %%r15, %%rax\n"
				 "addq %%rbp, %%rax\n addq %%rbx, %%rax\n"
				 "popq %%rbx\n popq %%rbp\n movq %%rax, %[x]\n"
				 : [x] "+m"(x)
				 :
				 : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11",
				   "r12", "r13", "r14", "r15", "memory", "cc");
		uint64_t low = other[0], high = other[1];
		__asm__ volatile("lock cmpxchg16b other(%%rip)"
				 : "+a"(low), "+d"(high)
				 : "b"(x), "c"(y)
				 : "memory", "cc");
		__asm__ volatile("btsq %1, %0"
				 : "+m"(from)
				 : "r"((uint64_t)(i * 131))
				 : "memory", "cc");
		__asm__ volatile("movl (%%eax), %%ecx"
				 :
				 : "a"(&place)
				 : "rcx", "memory"); /* below */
		x ^= other[1] ^ place;
	}
	printf("operands %llx %llx\n", (unsigned long long)x,
	       (unsigned long long)sum_of(from, 9000));
}

static long leaf(long n)
{
	return n * 3 + 1;
}

static void branches(void)
{
	long (*calls[4])(long) = { leaf, labs, leaf, labs };
	long sum = 0;

	for (long i = 0; i < 3000; i++) {
		long n = i % 17 + 1, r = 0;

		switch (i % 11) {
		case 0:
			sum += 3;
			break;
		case 1:
			sum ^= i;
			break;
		case 2:
			sum -= calls[i % 4](i);
			break;
		case 3:
			sum += 5 * i;
			break;
		case 4:
			sum ^= 0x55;
			break;
		case 5:
			sum += calls[(i + 1) % 4](-i);
			break;
		case 6:
			sum *= 3;
			break;
		default:
			sum++;
			break;
		}
		__asm__ volatile("1: addq %[n], %[r]\n loop 1b\n"
				 : [r] "+r"(r), "+c"(n)
				 : [n] "r"(n)
				 : "cc");
		sum += r;
		__asm__ volatile(
			"subq $128, %%rsp\n" /* a return that takes arguments away */
			"pushq %[i]\n pushq %[i]\n call 1f\n jmp 2f\n"
			"1: addq 8(%%rsp), %[r]\n ret $16\n"
			"2: leaq 3f(%%rip), %%rax\n pushq %%rax\n ret\n ud2\n" /* that calls */
			"3: leaq 4f(%%rip), %%rax\n movq %%rax, -8(%%rsp)\n jmp *-8(%%rsp)\n ud2\n"
			"4: addq $128, %%rsp\n"
			: [r] "+r"(r)
			: [i] "r"(i)
			: "rax", "memory", "cc");
		sum ^= r;
	}
	printf("branches %ld\n", sum);
}

__attribute__((target("avx2"))) static void gathers(void)
{
	int index[8] = { 0, 5, 9, 3, 100, 64, 7, 1 }, result[8];
	float floats[128];
	__m256i sum = _mm256_setzero_si256(), mask = _mm256_setr_epi32(-1, 0, -1, -1, 0, 0, -1, 0);

	for (int i = 0; i < 128; i++)
		floats[i] = (float)i;
	for (int i = 0; i < 200; i++) {
		__m256i at = _mm256_loadu_si256((__m256i *)index);

		sum = _mm256_add_epi32(sum, _mm256_i32gather_epi32((int *)from, at, 4));
		sum = _mm256_xor_si256(sum, _mm256_castps_si256(_mm256_mask_i32gather_ps(
						    _mm256_setzero_ps(), floats, at,
						    _mm256_castsi256_ps(mask), 4)));
		_mm256_maskstore_epi32((int *)to + i, mask, sum);
	}
	_mm256_storeu_si256((__m256i *)result, sum);
	printf("gathers %llx %llx\n", (unsigned long long)sum_of(result, sizeof(result)),
	       (unsigned long long)sum_of(to, 2000));
}

static void vectors(void)
{
	double d[100];
	long double l = 1;

	fill();
	for (int i = 0; i < 100; i++)
		d[i] = 1.0 / (i + 1), l = l * 1.1L + d[i];
	for (int i = 0; i < 99; i++)
		d[i + 1] += d[i] * 0.5;
	printf("vectors %.15g %.15Lg\n", d[99], l);
	if (__builtin_cpu_supports("avx2"))
		gathers();
}

/* A handler that sees and changes the registers of the instruction that failed. */
static volatile long seen;
static unsigned char *page;

static void repair(int signal, siginfo_t *info, void *context)
{
	greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;

	(void)signal;
	if (info->si_addr == page + 64) { /* the write goes through */
		seen++;
		mprotect(page, 4096, PROT_READ | PROT_WRITE);
		return;
	}
	printf("fault: rax %llx rcx %llx r11 %llx r15 %llx, bytes %02x %02x %02x\n", r[REG_RAX],
	       r[REG_RCX], r[REG_R11], r[REG_R15], ((unsigned char *)r[REG_RIP])[0],
	       ((unsigned char *)r[REG_RIP])[1], ((unsigned char *)r[REG_RIP])[2]);
	r[REG_RIP] += 3;
	r[REG_RDX] = 77;
}

static void faults(void)
{
	struct sigaction action = { .sa_sigaction = repair, .sa_flags = SA_SIGINFO };
	uint64_t rdx = 0, r8 = 1, r15 = 0;

	fill();
	memcpy(to, from, sizeof(to));
	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < 20; i++)
		__asm__ volatile("movq %[i], %%r15\n movq $0x111, %%r11\n movq $0x222, %%rcx\n"
				 "movq $8, %%rax\n"
				 "movq (%%rax), %%rdx\n" /* three bytes */
				 "addq %%r11, %[r8]\n addq %%rcx, %[r8]\n addq %%rax, %[r8]\n"
				 "addq %%rdx, %[rdx]\n addq %%r15, %[r15]\n"
				 : [rdx] "+m"(rdx), [r8] "+m"(r8), [r15] "+m"(r15)
				 : [i] "r"((uint64_t)i)
				 : "rax", "rcx", "rdx", "r11", "r15", "memory", "cc");
	printf("faults %llu %llu %llu\n", (unsigned long long)rdx, (unsigned long long)r8,
	       (unsigned long long)r15);
	for (int i = 0; i < 100; i++) { /* a write barrier */
		mprotect(page, 4096, PROT_READ);
		page[64] = (unsigned char)i;
		*(volatile uint64_t *)(page + 64) += 3;
	}
	printf("barrier %ld %d\n", seen, page[64]);
	/* In the middle of a repeated move. */
	mprotect(page, 8192, PROT_READ | PROT_WRITE);
	mprotect(page, 4096, PROT_READ);
	const void *s = to;
	void *d = page + 64;
	size_t c = 4000;
	REPEAT("rep movsb", s, d, c, 0);
	printf("moved %zu %llx\n", c, (unsigned long long)sum_of(page, 8192));
}

/* mov rax, i; add rax, rdi; ret */
static void make_adder(unsigned char *code, int i)
{
	static const unsigned char text[] = {
		0x48, 0xc7, 0xc0, 0, 0, 0, 0, 0x48, 0x01, 0xf8, 0xc3
	};

	memcpy(code, text, sizeof(text));
	memcpy(code + 3, &i, 4);
}

#endif
