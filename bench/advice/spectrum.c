/* advice: padding data: plane */
/* Transforms the columns of a plane of 1024 x 1024: each column lies in few cache sets; afterwards
 * rows are padded. */
#include "common.h"

enum { N = 1024, ROUNDS = 12 };
#ifdef AFTER
enum { PITCH = N + 8 };
#else
enum { PITCH = N };
#endif

static double plane[N][PITCH];

static KEEP void transform_column(int j)
{
	for (int span = 1; span < N; span *= 2)
		for (int i = 0; i < N; i += 2 * span)
			for (int k = i; k < i + span; k++) {
				double u = plane[k][j], v = plane[k + span][j];

				plane[k][j] = 0.5 * (u + v);
				plane[k + span][j] = 0.5 * (u - v);
			}
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			plane[i][j] = (i * 7 + j) % 13;
	for (int r = 0; r < ROUNDS; r++)
		for (int j = 0; j < N; j++)
			transform_column(j);
	printf("%g\n", plane[N / 2][N / 3]);
	return 0;
}
