/* Several allocations in one line and in one statement. */
#include <stdlib.h>

static void __attribute__((noinline)) fill(volatile int *array, int n)
{
	for (int i = 0; i < n; i++)
		array[i] = i;
}

int main(void)
{
	int *a = malloc(4096), *b = malloc(8192);
	/* clang-format off */
	int *c, *d; c = malloc(4096); d = malloc(4096);
	/* clang-format on */

	if ((a == NULL) | (b == NULL))
		return 1;
	fill(a, 1024);
	fill(b, 1024);
	fill(c, 1024);
	fill(d, 1024);
	return 0;
}
