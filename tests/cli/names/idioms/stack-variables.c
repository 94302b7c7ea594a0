/* Arrays and structs of the stack are named after their function and variable. */
#include <string.h>

struct grid {
	int width;
	double cells[1000];
};

static void __attribute__((noinline)) fill(volatile double *array, int n)
{
	for (int i = 0; i < n; i++)
		array[i] = i;
}

static double __attribute__((noinline)) solve(int n)
{
	double lower[2000], upper[3000];
	struct grid grid;

	fill(lower, n);
	fill(upper, n);
	fill(grid.cells, 1000);
	return lower[n - 1] + upper[n - 2] + grid.cells[7];
}

int main(void)
{
	double buffer[1500];
	double sum = 0;

	fill(buffer, 1500);
	for (int i = 0; i < 2; i++)
		sum += solve(1900 + i) + buffer[i];
	return sum < 0;
}
