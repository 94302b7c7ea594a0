/* C += A * B in blocks that stay in the first-level cache. */
#include "../common.h"

enum { N = 512, BLOCK = 32 };

static double a[N][N], b[N][N], c[N][N];

static KEEP void multiply(void)
{
	for (int ii = 0; ii < N; ii += BLOCK)
		for (int kk = 0; kk < N; kk += BLOCK)
			for (int jj = 0; jj < N; jj += BLOCK)
				for (int i = ii; i < ii + BLOCK; i++)
					for (int k = kk; k < kk + BLOCK; k++)
						for (int j = jj; j < jj + BLOCK; j++)
							c[i][j] += a[i][k] * b[k][j];
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i + j;
			b[i][j] = i - j;
		}
	for (int r = 0; r < 3; r++)
		multiply();
	printf("%g\n", c[N / 2][N / 3]);
	return 0;
}
