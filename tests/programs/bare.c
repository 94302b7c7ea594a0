/*
 * build: -O1 -g -static -nostdlib -ffreestanding -fno-stack-protector
 *
 * No library, no loader, and a stack of its own: nothing here depends on the environment, so all
 * tools that count its instructions and references count the same.
 *
 * cachegrind's last level holds instructions, too. So all code is fetched while there is little
 * data, and then a sweep over twice the last level leaves the same lines in it whether code was
 * there or not; what follows fetches no code.
 *
 * Built with CROSS, some references lie on two lines.
 */
#include <stdint.h>

enum {
	WORDS = 1 << 13,
	SWEEP = 1 << 16, /* bytes */
	LINE = 64,
	STACK = 4096,
	PAIRS = (1 << 14) / 2 / LINE,
};

uint64_t table[WORDS] __attribute__((aligned(4096)));
unsigned char bytes[1 << 14] __attribute__((aligned(4096)));
unsigned char swept[SWEEP] __attribute__((aligned(4096)));
unsigned char stack[STACK] __attribute__((aligned(4096)));
volatile uint64_t result;
/* Of the rounds. The second is short because only then all code has been fetched; a table, so that
 * no branch chooses. */
const volatile unsigned lengths[] = { 2, 2, WORDS, WORDS };

static __attribute__((noinline)) void fill(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		table[i] = i * UINT64_C(2654435761) % WORDS;
}

/* Loads that depend on each other, all over the table. */
static __attribute__((noinline)) uint64_t chase(unsigned n)
{
	uint64_t at = 1;

	for (unsigned i = 0; i < n; i++)
		at = (table[at] + i) % WORDS;
	return at;
}

/* One instruction of x86-64 reads and writes here. */
static __attribute__((noinline)) void change(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		table[i * 13 % WORDS] += i;
}

static __attribute__((noinline)) void copy(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		bytes[i * 7 % sizeof(bytes)] = bytes[i * 31 % sizeof(bytes)];
}

/* Every other word lies on two lines; the others are on the second of two such lines. */
static __attribute__((noinline)) uint32_t cross(unsigned n)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < n; i++) {
		const unsigned char *pair = bytes + (i * 40503u >> 6) % PAIRS * 2 * LINE;

		sum += *(const volatile uint32_t *)(uintptr_t)(pair + LINE - 2 + i % 2 * 2);
	}
	return sum;
}

static __attribute__((noinline)) void sweep(void)
{
	for (unsigned i = 0; i < SWEEP; i += LINE)
		swept[i] = 1;
}

static void all(unsigned n)
{
	fill(n);
	result = chase(n);
	change(n);
	copy(n);
#ifdef CROSS
	result = cross(n);
#else
	(void)cross;
#endif
}

static _Noreturn void leave(void)
{
#if defined(__x86_64__)
	__asm__ volatile("syscall" : : "a"(231L), "D"(0L) : "rcx", "r11", "memory");
#else
	register long number __asm__("x8") = 94;
	register long status __asm__("x0") = 0;

	__asm__ volatile("svc 0" : : "r"(number), "r"(status) : "memory");
#endif
	__builtin_unreachable();
}

__attribute__((used)) _Noreturn void begin(void)
{
	for (unsigned round = 0; round < sizeof(lengths) / sizeof(lengths[0]); round++) {
		all(lengths[round]);
		sweep();
	}
	leave();
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start:\n\tlea stack+4096(%rip), %rsp\n\tcall begin\n");
#else
__asm__(".globl _start\n_start:\n\tadrp x0, stack\n\tadd x0, x0, :lo12:stack\n\tadd sp, x0, "
	"#4096\n\tbl begin\n");
#endif
