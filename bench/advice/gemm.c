/* advice: loop-order data: b */
/* C += A * B with the textbook's loops i, j, k; afterwards i, k, j. */
#include "common.h"

enum { N = 768 };

static double (*a)[N], (*b)[N], (*c)[N];

static KEEP void multiply(void)
{
#ifdef AFTER
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += a[i][k] * b[k][j];
#else
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] += sum;
		}
#endif
}

int main(void)
{
	a = malloc(sizeof(double) * N * N);
	b = malloc(sizeof(double) * N * N);
	c = calloc(N * N, sizeof(double));
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i + j;
			b[i][j] = i - j;
		}
	multiply();
	printf("%g\n", c[N / 2][N / 3]);
	return 0;
}
