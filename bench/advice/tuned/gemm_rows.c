/* C += A * B for wide matrices, row after row: prefetching covers what the caches do not keep. */
#include "../common.h"

enum { M = 300, K = 1024, N = 3072 };

static float (*a)[K], (*b)[N], (*c)[N];

static inline void add_row(float *to, const float *from, float factor, int n)
{
	for (int j = 0; j < n; j++)
		to[j] += factor * from[j];
}

static KEEP void multiply(void)
{
	for (int i = 0; i < M; i++)
		for (int k = 0; k < K; k++)
			add_row(c[i], b[k], a[i][k], N);
}

int main(void)
{
	a = malloc(sizeof(float) * M * K);
	b = malloc(sizeof(float) * K * N);
	c = calloc(M * N, sizeof(float));
	for (int i = 0; i < M; i++)
		for (int k = 0; k < K; k++)
			a[i][k] = (float)((i + k) % 7);
	for (int k = 0; k < K; k++)
		for (int j = 0; j < N; j++)
			b[k][j] = (float)((k * j) % 5);
	multiply();
	printf("%g\n", (double)c[M / 2][N / 3]);
	return 0;
}
