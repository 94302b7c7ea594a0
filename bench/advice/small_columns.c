/* advice: loop-order data: level set: textbook */
/* Adds a table of 1600 x 128, column by column: it fits into the second level. Afterwards row by
 * row. */
#include "common.h"

enum { ROWS = 1600, COLUMNS = 128, ROUNDS = 400 };

static float level[ROWS][COLUMNS];

static KEEP float add(void)
{
	float sum = 0;

#ifdef AFTER
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
#else
	for (int j = 0; j < COLUMNS; j++)
		for (int i = 0; i < ROWS; i++)
#endif
			sum += level[i][j];
	return sum;
}

int main(void)
{
	float sum = 0;

	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			level[i][j] = (float)(i + j);
	for (int r = 0; r < ROUNDS; r++)
		sum += add();
	printf("%g\n", (double)sum);
	return 0;
}
