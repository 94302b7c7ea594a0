/* advice: loop-order data: a */
/* x += A' * y, as in PolyBench's mvt: the inner loop runs down a column; afterwards along a row. */
#include "common.h"

enum { N = 3500, ROUNDS = 6 };

static float (*a)[N], x[N], y[N];

static KEEP void multiply_transposed(void)
{
#ifdef AFTER
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			x[i] += a[j][i] * y[j];
#else
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			x[i] += a[j][i] * y[j];
#endif
}

int main(void)
{
	a = malloc(sizeof(float) * N * N);
	for (int i = 0; i < N; i++) {
		y[i] = (float)i / N;
		for (int j = 0; j < N; j++)
			a[i][j] = (float)((i * j) % 7);
	}
	for (int r = 0; r < ROUNDS; r++)
		multiply_transposed();
	printf("%g\n", (double)x[N / 2]);
	return 0;
}
