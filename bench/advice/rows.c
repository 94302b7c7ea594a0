/* advice: padding data: row */
/* Adds sixteen rows whose pitch is a power of two: they share cache sets; afterwards the pitch is a
 * line more. */
#include "common.h"

enum { ROWS = 16, USED = 64, ROUNDS = 400000 };
#ifdef AFTER
enum { PITCH = 8192 + 16 };
#else
enum { PITCH = 8192 };
#endif

static float row[ROWS][PITCH], total[USED];

static KEEP void add_rows(void)
{
	for (int j = 0; j < USED; j++) {
		float sum = 0;

		for (int i = 0; i < ROWS; i++)
			sum += row[i][j];
		total[j] += sum;
	}
}

int main(void)
{
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < USED; j++)
			row[i][j] = i + j;
	for (int r = 0; r < ROUNDS; r++)
		add_rows();
	printf("%g\n", (double)total[USED / 2]);
	return 0;
}
