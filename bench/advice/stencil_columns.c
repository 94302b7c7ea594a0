/* advice: loop-order set: textbook */
/* A stencil of five points with the loops exchanged; afterwards row by row. */
#include "common.h"

enum { N = 2000, ROUNDS = 5 };

static float (*from)[N], (*to)[N];

static KEEP void smooth(void)
{
#ifdef AFTER
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < N - 1; j++)
#else
	for (int j = 1; j < N - 1; j++)
		for (int i = 1; i < N - 1; i++)
#endif
			to[i][j] = 0.2f * (from[i][j] + from[i - 1][j] + from[i + 1][j] +
					   from[i][j - 1] + from[i][j + 1]);
}

int main(void)
{
	from = calloc(N * N, sizeof(float));
	to = calloc(N * N, sizeof(float));
	from[N / 2][N / 2] = 1000;
	for (int r = 0; r < ROUNDS; r++) {
		float(*kept)[N] = from;

		smooth();
		from = to;
		to = kept;
	}
	printf("%g\n", (double)from[N / 2][N / 2]);
	return 0;
}
