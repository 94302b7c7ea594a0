/* advice: blocking set: textbook */
/* Transposes 2048 x 2048 doubles: pitches are powers of two; afterwards tile by tile. */
#include "common.h"

enum { N = 2048, TILE = 16, ROUNDS = 6 };

static double source[N][N], target[N][N];

static KEEP void transpose(void)
{
#ifdef AFTER
	for (int ii = 0; ii < N; ii += TILE)
		for (int jj = 0; jj < N; jj += TILE)
			for (int i = ii; i < ii + TILE; i++)
				for (int j = jj; j < jj + TILE; j++)
					target[j][i] = source[i][j];
#else
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			target[j][i] = source[i][j];
#endif
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			source[i][j] = i + 2 * j;
	for (int r = 0; r < ROUNDS; r++)
		transpose();
	printf("%g\n", target[N / 2][N / 3]);
	return 0;
}
