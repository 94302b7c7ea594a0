/*
 * Callers below a function that has extended its stack frame by a variable size: extend() subtracts
 * a register from the stack pointer, and then calls a function of the C library through the
 * procedure linkage table. evaluate() calls add(), which calls evaluate(), which calls multiply(),
 * in turns.
 */
#include <string.h>

enum { BYTES = 1 << 18, LINE = 64 };

static char memory[BYTES];
static volatile int size = 4096;
static volatile size_t most, length;

__attribute__((noinline)) static void touch(void)
{
	for (int i = 0; i < BYTES; i += LINE)
		memory[i]++;
	__asm__ volatile("" ::: "memory");
}

static void evaluate(int depth);

__attribute__((noinline)) static void add(int depth)
{
	evaluate(depth - 1);
	touch();
}

__attribute__((noinline)) static void multiply(int depth)
{
	evaluate(depth - 1);
	touch();
}

/* add() and multiply() in turns: each calls evaluate() from the same line again. */
__attribute__((noinline)) static void evaluate(int depth)
{
	if (depth == 0)
		touch();
	else if (depth % 2 == 0)
		add(depth);
	else
		multiply(depth);
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void extend(void)
{
	char *buffer = __builtin_alloca((size_t)size);

	length = strnlen(buffer, most);
	evaluate(6);
	__asm__ volatile("" : : "r"(buffer) : "memory");
}

int main(void)
{
	for (int i = 0; i < 4; i++)
		extend();
	return 0;
}
