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

#if defined(__x86_64__)
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
#endif

int main(void)
{
	straddle();
	modify();
	exchange();
	compare();
#if defined(__x86_64__)
	string_copy();
	vector_copy();
#endif
	return 0;
}
