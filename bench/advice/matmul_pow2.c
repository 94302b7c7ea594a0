/* advice: loop-order data: b set: textbook */
/* The product of 512 x 512 matrices as a textbook writes it; afterwards with the second and the
 * third loop exchanged. */
#include "common.h"

enum { N = 512 };

static double a[N][N], b[N][N], c[N][N];

static KEEP void multiply(void)
{
#ifdef AFTER
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += a[i][k] * b[k][j];
#else
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++)
				c[i][j] += a[i][k] * b[k][j];
#endif
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			a[i][j] = i - j;
			b[i][j] = i + j;
		}
	multiply();
	printf("%g\n", c[N / 2][N / 3]);
	return 0;
}
