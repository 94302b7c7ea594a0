/* Pointers to arrays that are declared and allocated in one statement. */
#include <stdlib.h>

enum { N = 200 };

typedef float row[N];

int main(void)
{
	double(*square)[N] = malloc(N * sizeof *square);
	double(*cube)[8][N] = malloc(N * sizeof(double[8][N]));
	float(*typed)[N] = malloc(N * sizeof(row));
	double(*assigned)[N];

	assigned = malloc(N * sizeof *assigned);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			square[i][j] = i;
			cube[i][j % 8][j] = j;
			typed[i][j] = 1;
			assigned[j][i] = 2;
		}
	return square[1][2] + cube[3][4][5] + typed[6][7] + assigned[8][9] > 0 ? 0 : 1;
}
