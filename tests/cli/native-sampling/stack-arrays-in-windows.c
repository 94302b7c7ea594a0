/*
 * Writes arrays of two functions that are far from each other on the stack, in a third one, and
 * runs code that has no unwind tables and uses the frame pointer for another value, from which no
 * caller can be found.
 */
#include "memspy.h"

enum { INNER = 1000, OUTER = 2000, DEPTH = 20, ROUNDS = 400, SPINS = 500000 };

void spin(volatile long *word, long times);
#if defined(__aarch64__)
__asm__(".text\n"
	".globl spin\n"
	".type spin, %function\n"
	"spin:	mov	x9, x29\n"
	"	mov	x29, #-8\n"
	"1:	ldr	x10, [x0]\n"
	"	add	x10, x10, #1\n"
	"	str	x10, [x0]\n"
	"	subs	x1, x1, #1\n"
	"	b.ne	1b\n"
	"	mov	x29, x9\n"
	"	ret\n"
	".size spin, . - spin\n");
#elif defined(__x86_64__)
__asm__(".text\n"
	".globl spin\n"
	".type spin, @function\n"
	"spin:	mov	%rbp, %r9\n"
	"	mov	$-8, %rbp\n"
	"1:	incq	(%rdi)\n"
	"	dec	%rsi\n"
	"	jne	1b\n"
	"	mov	%r9, %rbp\n"
	"	ret\n"
	".size spin, . - spin\n");
#endif

static void __attribute__((noinline)) put(volatile double *array, int n)
{
	for (int i = 0; i < n; i++)
		array[i] = i;
}

static int __attribute__((noinline)) down(int depth, volatile double *outer)
{
	if (depth > 0) {
		volatile int level = depth;

		return down(depth - 1, outer) + level;
	}
	double inner[INNER];

	MEMSPY_START();
	for (int i = 0; i < ROUNDS; i++) {
		put(inner, INNER);
		put(outer, OUTER);
	}
	return (int)inner[0];
}

int main(void)
{
	double outer[OUTER];
	volatile long word = 0;
	int sum = down(DEPTH, outer);

	spin(&word, SPINS);
	/* Longer than a window: in one that opens in spin(), main() is not found. */
	for (int i = 0; i < SPINS / 10; i++)
		word++;
	return sum + down(DEPTH, outer) == 1 || word != SPINS + SPINS / 10;
}
