/*
 * stencil.c [SIDE [ROUNDS [THREADS]]] - each element becomes the mean of its four neighbours, round
 * after round, with OpenMP: threads read what others wrote along the seams of their parts only.
 * build: -fopenmp
 */
#include "number.h"

static void step(double *restrict to, const double *restrict from, uint64_t n, int threads)
{
#pragma omp parallel for schedule(static) num_threads(threads)
	for (uint64_t i = 1; i < n - 1; i++)
		for (uint64_t j = 1; j < n - 1; j++)
			to[i * n + j] = (from[(i - 1) * n + j] + from[(i + 1) * n + j] +
					 from[i * n + j - 1] + from[i * n + j + 1]) /
					4;
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 600), rounds = number(argc, argv, 2, 60);
	int threads = (int)number(argc, argv, 3, 4);
	double *now = room(n * n, sizeof(*now)), *next = room(n * n, sizeof(*next)), sum = 0;

	for (uint64_t i = 0; i < n; i++)
		now[i] = next[i] = 1 + (double)(i % 7);
	for (uint64_t round = 0; round < rounds; round++) {
		double *before = now;

		step(next, now, n, threads);
		now = next;
		next = before;
	}
	for (uint64_t i = 0; i < n * n; i++)
		sum += now[i];
	printf("stencil %.6f\n", sum);
	free(now);
	free(next);
	return 0;
}
