/* advice: loop-order data: points set: held-out */
/* The products of all pairs of columns of a matrix, with the sum over its rows innermost;
 * afterwards outermost. */
#include "common.h"

enum { N = 640 };

static double (*points)[N], (*gram)[N];

static KEEP void products(void)
{
#ifdef AFTER
	for (int k = 0; k < N; k++)
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				gram[i][j] += points[k][i] * points[k][j];
#else
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += points[k][i] * points[k][j];
			gram[i][j] = sum;
		}
#endif
}

int main(void)
{
	points = malloc(sizeof(double) * N * N);
	gram = calloc(N * N, sizeof(double));
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			points[i][j] = i * 0.5 - j;
	products();
	printf("%g\n", gram[N / 2][N / 3]);
	return 0;
}
