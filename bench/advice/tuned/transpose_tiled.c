/* Transposes a matrix in tiles. */
#include "../common.h"

enum { N = 2000, TILE = 16, ROUNDS = 8 };

static double (*from)[N], (*to)[N];

static KEEP void transpose(void)
{
	for (int ii = 0; ii < N; ii += TILE)
		for (int jj = 0; jj < N; jj += TILE)
			for (int i = ii; i < ii + TILE; i++)
				for (int j = jj; j < jj + TILE; j++)
					to[i][j] = from[j][i];
}

int main(void)
{
	from = malloc(sizeof(double) * N * N);
	to = calloc(N * N, sizeof(double));
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			from[i][j] = i + 2 * j;
	for (int r = 0; r < ROUNDS; r++)
		transpose();
	printf("%g\n", to[N / 2][N / 3]);
	return 0;
}
