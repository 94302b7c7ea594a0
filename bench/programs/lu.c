/*
 * lu.c [SIDE] - a dense matrix factored into a lower and an upper triangle with partial pivoting,
 * then one system solved: loops over rows that become shorter, and exchanged rows.
 */
#include "number.h"

static __attribute__((noinline)) void fill(double **row, uint64_t n)
{
	uint64_t state = 88172645463325252ULL;

	for (uint64_t i = 0; i < n; i++)
		for (uint64_t k = 0; k < n; k++)
			row[i][k] = (double)(next_random(&state) >> 40) / (1 << 24) - 0.5;
}

static double magnitude(double x)
{
	return x < 0 ? -x : x;
}

static __attribute__((noinline)) void exchange_pivot(double **row, double *right, uint64_t n,
						     uint64_t column)
{
	uint64_t best = column;

	for (uint64_t i = column + 1; i < n; i++)
		if (magnitude(row[i][column]) > magnitude(row[best][column]))
			best = i;
	double *swap = row[column], value = right[column];

	row[column] = row[best];
	row[best] = swap;
	right[column] = right[best];
	right[best] = value;
}

static __attribute__((noinline)) void eliminate(double **row, double *right, uint64_t n,
						uint64_t column)
{
	for (uint64_t i = column + 1; i < n; i++) {
		double factor = row[i][column] / row[column][column];

		row[i][column] = factor;
		for (uint64_t k = column + 1; k < n; k++)
			row[i][k] -= factor * row[column][k];
		right[i] -= factor * right[column];
	}
}

static __attribute__((noinline)) void substitute(double *const *row, double *right, uint64_t n)
{
	for (uint64_t i = n; i-- > 0;) {
		for (uint64_t k = i + 1; k < n; k++)
			right[i] -= row[i][k] * right[k];
		right[i] /= row[i][i];
	}
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 420);
	double *matrix = malloc(n * n * sizeof(*matrix)), **row = malloc(n * sizeof(*row));
	double *right = malloc(n * sizeof(*right)), sum = 0;

	if (matrix == NULL || row == NULL || right == NULL)
		return 1;
	for (uint64_t i = 0; i < n; i++) {
		row[i] = matrix + i * n;
		right[i] = 1;
	}
	fill(row, n);
	for (uint64_t column = 0; column < n; column++) {
		exchange_pivot(row, right, n, column);
		eliminate(row, right, n, column);
	}
	substitute(row, right, n);
	for (uint64_t i = 0; i < n; i++)
		sum += right[i];
	printf("%.6f\n", sum);
	free(matrix);
	free(row);
	free(right);
	return 0;
}
