/* PolyBench: macros declare the arrays and allocate them, both on one line. */
#include <stdlib.h>

#define N                         64
#define ALLOC(n, type)            xmalloc((n) * sizeof(type))
#define ARRAY_2D(var, type, a, b) type(*var)[a][b] = (type(*)[a][b])ALLOC((a) * (b), type)
#define NEW(p, n)                 ((p) = calloc((n), sizeof(*(p))))

static void *xmalloc(size_t n)
{
	void *p = NULL;

	if (posix_memalign(&p, 64, n) != 0)
		exit(1);
	return p;
}

static void __attribute__((noinline)) fill(void *array, int n)
{
	for (int i = 0; i < n; i++)
		((volatile double *)array)[i] = i;
}

int main(void)
{
	/* clang-format off */
	ARRAY_2D(A, double, N, N); ARRAY_2D(B, double, N, N);
	ARRAY_2D(C, double, N, N);
	float *weights, *offsets;

	NEW(weights, 4096);
	NEW(offsets, 4096); fill(weights, 1024);
	/* clang-format on */
	fill(A, N * N);
	fill(B, N * N);
	fill(C, N * N);
	fill(offsets, 1024);
	return 0;
}
