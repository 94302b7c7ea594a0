/* One function allocates three matrices. */
#include <stdlib.h>

typedef double Matrix;

enum { N = 30 };

static Matrix *NewMatrix(int n)
{
	Matrix *m = malloc(sizeof(Matrix) * (size_t)n * (size_t)n);

	if (m == NULL)
		exit(1);
	return m;
}

static __attribute__((noinline)) void fill(volatile Matrix *m, int times)
{
	while (times-- > 0)
		for (int i = 0; i < N * N; i++)
			m[i] = i;
}

int main(void)
{
	Matrix *X = NewMatrix(N);
	Matrix *Y = NewMatrix(N);
	Matrix *Z;

	Z = NewMatrix(N);
	fill(X, 1);
	fill(Y, 2);
	fill(Z, 3);
	free(X);
	free(Y);
	free(Z);
	return 0;
}
