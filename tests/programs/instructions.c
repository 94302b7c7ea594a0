/* build: -O1 -g
   Single instructions whose references can be counted by hand. */
#include <stdint.h>
#include <string.h>

enum { N = 1000 };

static _Alignas(64) char lines[64 * 2 * N + 64];
static _Alignas(64) long counters[N];
static _Alignas(64) long atomics[N];
static _Alignas(64) char from[4096], to[4096];
static _Alignas(64) long pairs[N];

/* Eight bytes across a line's end: one reference, one miss. */
static __attribute__((noinline)) long straddle(void)
{
	long sum = 0;

	for (int i = 0; i < N; i++)
		sum += *(volatile long __attribute__((aligned(1))) *)(lines + i * 128 + 60);
	return sum;
}

/* An instruction that reads and writes the same place. */
static __attribute__((noinline)) void modify(void)
{
	for (int i = 0; i < N; i++)
#if defined(__x86_64__)
		__asm__ volatile("addq $1, %0" : "+m"(counters[i]));
#else
		((volatile long *)counters)[i]++;
#endif
}

#if defined(__x86_64__)
static __attribute__((noinline)) void exchange(void)
{
	for (int i = 0; i < N; i++)
		__atomic_fetch_add(&atomics[i], 1, __ATOMIC_SEQ_CST);
}

/* Compares that succeed, compares that fail. */
static __attribute__((noinline)) void compare(void)
{
	for (int i = 0; i < N; i++) {
		long expected = i % 2;

		__atomic_compare_exchange_n(&pairs[i], &expected, 5, 0, __ATOMIC_SEQ_CST,
					    __ATOMIC_SEQ_CST);
	}
}

static __attribute__((noinline)) void string_copy(void)
{
	void *d = to;
	const void *s = from;
	long n = 512;

	__asm__ volatile("rep movsq" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
}

static __attribute__((noinline)) void vector_copy(void)
{
	for (int i = 0; i < 4096; i += 16)
		__asm__ volatile("movdqa %0, %%xmm0\n\tmovdqa %%xmm0, %1"
				 :
				 : "m"(from[i]), "m"(to[i])
				 : "xmm0", "memory");
}
#else
static _Alignas(64) long exclusives[N];

/* By instructions of their own; a compiler may call functions for them. */
static __attribute__((noinline)) void exchange(void)
{
	for (int i = 0; i < N; i++)
		__asm__ volatile(".arch_extension lse\n\tldaddal %0, x9, %1"
				 :
				 : "r"(1L), "Q"(atomics[i])
				 : "x9", "memory");
}

static __attribute__((noinline)) void compare(void)
{
	for (int i = 0; i < N; i++) {
		long expected = i % 2;

		__asm__ volatile(".arch_extension lse\n\tcasal %0, %1, %2"
				 : "+r"(expected)
				 : "r"(5L), "Q"(pairs[i])
				 : "memory");
	}
}

/* A load and a store. */
static __attribute__((noinline)) void exclusive(void)
{
	for (int i = 0; i < N; i++)
		__asm__ volatile("1:\n\tldaxr x9, %0\n\tadd x9, x9, #1\n\tstlxr w10, x9, %0\n\t"
				 "cbnz w10, 1b"
				 :
				 : "Q"(exclusives[i])
				 : "x9", "x10", "memory");
}

/* Two registers, two references. */
static __attribute__((noinline)) void pair_copy(void)
{
	for (int i = 0; i < 4096; i += 16)
		__asm__ volatile("ldp x9, x10, %0\n\tstp x9, x10, %1"
				 :
				 : "Ump"(from[i]), "Ump"(to[i])
				 : "x9", "x10", "memory");
}

static __attribute__((noinline)) void vector_copy(void)
{
	for (int i = 0; i < 4096; i += 16)
		__asm__ volatile("ldr q0, %0\n\tstr q0, %1"
				 :
				 : "m"(from[i]), "m"(to[i])
				 : "v0", "memory");
}

/* Four registers, taken apart. */
static __attribute__((noinline)) void structures(void)
{
	for (int i = 0; i < 4096; i += 64)
		__asm__ volatile("ld4 {v0.16b-v3.16b}, %0"
				 :
				 : "Q"(from[i])
				 : "v0", "v1", "v2", "v3", "memory");
}
#endif

int main(void)
{
	straddle();
	modify();
	exchange();
	compare();
#if defined(__x86_64__)
	string_copy();
#else
	exclusive();
	pair_copy();
	structures();
#endif
	vector_copy();
	return 0;
}
