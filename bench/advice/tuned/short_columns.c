/* Adds a table of 400 x 400, column by column: the lines of a column stay in the first level. */
#include "../common.h"

enum { N = 400, ROUNDS = 1000 };

static float level[N][N];

static KEEP float add(void)
{
	float sum = 0;

	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			sum += level[i][j];
	return sum;
}

int main(void)
{
	float sum = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			level[i][j] = (float)(i + j);
	for (int r = 0; r < ROUNDS; r++)
		sum += add();
	printf("%g\n", (double)sum);
	return 0;
}
