/*
 * Misses of one cause each: a column of a matrix whose rows are a power of two apart (conflict), an
 * array larger than every cache (capacity), and an array that fits (neither).
 */
#include <stdlib.h>

enum { ROWS = 32, ROW = 4096, LARGE = 1 << 20, SMALL = 4096, LINE = 64 };

_Alignas(4096) char matrix[ROWS][ROW], large[LARGE], small[SMALL];
volatile char sink;

static __attribute__((noinline)) void walk_column(void)
{
	for (int i = 0; i < ROWS; i++)
		sink = matrix[i][0];
}

static __attribute__((noinline)) void sweep(void)
{
	for (int i = 0; i < LARGE; i += LINE)
		sink = large[i];
}

static __attribute__((noinline)) void use_small(void)
{
	for (int i = 0; i < SMALL; i += LINE)
		sink = small[i];
}

/* three-causes [ROUNDS] */
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1;

	for (int round = 0; round < rounds; round++) {
		for (int i = 0; i < 4000; i++)
			walk_column();
		for (int i = 0; i < 6; i++)
			sweep();
		for (int i = 0; i < 1000; i++)
			use_small();
	}
	return 0;
}
