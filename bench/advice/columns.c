/* advice: loop-order data: grid */
/* Sums a matrix column by column; afterwards row by row. */
#include "common.h"

enum { ROWS = 3000, COLUMNS = 3000, ROUNDS = 6 };

static double (*grid)[COLUMNS];

static KEEP double sum(void)
{
	double all = 0;

#ifdef AFTER
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			all += grid[i][j];
#else
	for (int j = 0; j < COLUMNS; j++)
		for (int i = 0; i < ROWS; i++)
			all += grid[i][j];
#endif
	return all;
}

int main(void)
{
	double all = 0;

	grid = malloc(sizeof(double) * ROWS * COLUMNS);
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			grid[i][j] = i ^ j;
	for (int r = 0; r < ROUNDS; r++)
		all += sum();
	printf("%g\n", all);
	return 0;
}
