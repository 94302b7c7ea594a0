/* A first walk over n doubles. */
#include <stdlib.h>

enum { N = 8000 };

double *plain, *aligned;

static __attribute__((noinline)) void walk(double *row)
{
	for (volatile double *p = row; p < row + N; p++)
		*p = 1;
}

int main(void)
{
	plain = malloc(N * sizeof(double));
	aligned = aligned_alloc(64, N * sizeof(double));
	walk(plain);
	walk(aligned);
	return 0;
}
