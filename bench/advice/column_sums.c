/* advice: loop-order data: table set: textbook */
/* Column sums of 1024 x 1024 doubles, column by column: the pitch is a power of two; afterwards row
 * by row. */
#include "common.h"

enum { N = 1024, ROUNDS = 40 };

static double table[N][N], sum[N];

static KEEP void add_columns(void)
{
#ifdef AFTER
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			sum[j] += table[i][j];
#else
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			sum[j] += table[i][j];
#endif
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			table[i][j] = i ^ j;
	for (int r = 0; r < ROUNDS; r++)
		add_columns();
	printf("%g\n", sum[N / 3]);
	return 0;
}
