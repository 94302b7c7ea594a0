/*
 * matmul.c - Figure 1 of the 1992 paper: a blocked matrix multiply whose block was chosen to fit
 * the cache, and does not stay there. Try:
 *
 *    memspy run --machine memspy-1992-matmul ./matmul
 *    memspy show --data Y --code BlkMultiply
 */
#include <stdio.h>
#include <stdlib.h>

typedef double Matrix;

enum { N = 295, B = 64 };

#define AT(m, i, j) (m)[(size_t)(i)*n + (size_t)(j)]

static int min(int a, int b)
{
	return a < b ? a : b;
}

static Matrix *NewMatrix(int n)
{
	Matrix *m = malloc(sizeof(Matrix) * (size_t)n * (size_t)n);

	if (m == NULL) {
		perror("matmul");
		exit(1);
	}
	return m;
}

static void ClearProduct(Matrix *Z, int n)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			AT(Z, i, j) = 0;
}

static void BlkMultiply(Matrix *X, Matrix *Y, Matrix *Z, int n, int b)
{
	for (int kk = 0; kk < n; kk += b)
		for (int jj = 0; jj < n; jj += b)
			for (int i = 0; i < n; i++)
				for (int k = kk; k < min(kk + b, n); k++) {
					double r = AT(X, i, k);

					for (int j = jj; j < min(jj + b, n); j++)
						AT(Z, i, j) += r * AT(Y, k, j);
				}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : N;
	int b = argc > 2 ? atoi(argv[2]) : B;

	if (n < 1 || b < 1) {
		fprintf(stderr, "usage: matmul [SIZE [BLOCK]]\n");
		return 2;
	}

	Matrix *X = NewMatrix(n);
	Matrix *Y = NewMatrix(n);
	Matrix *Z = NewMatrix(n);

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			AT(X, i, j) = i + j;
			AT(Y, i, j) = i - 2 * j;
		}
	ClearProduct(Z, n);
	BlkMultiply(X, Y, Z, n, b);

	double trace = 0;
	for (int i = 0; i < n; i++)
		trace += AT(Z, i, i);
	printf("trace %.6g\n", trace);
	free(X);
	free(Y);
	free(Z);
	return 0;
}
