/*
 * build: -O1 -g -pthread
 * Two threads walk the columns of a matrix, each its half of them, after the main thread has
 * written it row by row; then they add up what an array of indices in random order refers to.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 1000, COLUMNS = 1000, INDICES = 1 << 20, VALUES = 1 << 20, THREADS = 2, ROUNDS = 5 };

static double *matrix, *values;
static uint32_t *indices;
static double sums[THREADS][16];

__attribute__((noinline)) static double add_columns(size_t from, size_t to)
{
	double sum = 0;

	for (size_t column = from; column < to; column++)
		for (size_t row = 0; row < ROWS; row++)
			sum += matrix[row * COLUMNS + column];
	return sum;
}

__attribute__((noinline)) static double add_values(size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += values[indices[i]];
	return sum;
}

static void *work(void *number)
{
	size_t n = (size_t)number;

	for (int i = 0; i < ROUNDS; i++)
		sums[n][0] += add_columns(n * COLUMNS / THREADS, (n + 1) * COLUMNS / THREADS);
	sums[n][0] += add_values(n * INDICES / THREADS, (n + 1) * INDICES / THREADS);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	uint32_t random = 1;

	matrix = malloc(sizeof(*matrix) * ROWS * COLUMNS);
	values = calloc(VALUES, sizeof(*values));
	indices = malloc(sizeof(*indices) * INDICES);
	for (size_t i = 0; i < ROWS * COLUMNS; i++)
		matrix[i] = (double)i;
	for (size_t i = 0; i < INDICES; i++) {
		random = random * 1664525u + 1013904223u;
		indices[i] = random >> 12;
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%g\n", sums[0][0] + sums[1][0]);
	return 0;
}
