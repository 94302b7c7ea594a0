/* floats.c - floating-point work on data in the first level: serial and parallel sums, a
 * polynomial, divisions. */
#include "phase.h"

PHASE_FUNCTION double add_serially(const double *a, size_t n, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			sum += a[i];
	return sum;
}

PHASE_FUNCTION double add_in_parallel(const double *a, size_t n, size_t rounds)
{
	double s0 = 0, s1 = 0, s2 = 0, s3 = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i += 4) {
			s0 += a[i];
			s1 += a[i + 1];
			s2 += a[i + 2];
			s3 += a[i + 3];
		}
	return s0 + s1 + s2 + s3;
}

PHASE_FUNCTION double evaluate_polynomial(double *to, const double *x, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++) {
			double y = 0.1;

			for (int k = 1; k <= 8; k++)
				y = y * x[i] + 1.0 / k;
			to[i] = y;
		}
	return to[n / 2];
}

PHASE_FUNCTION double divide(double *to, const double *x, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			to[i] = (1.0 + x[i]) / (2.0 + x[i]);
	return to[n / 2];
}

/* The one phase that waits for memory, to be found among those that do not. */
PHASE_FUNCTION double scatter_sums(double *to, const double *x, size_t mask, size_t n,
				   size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			to[(phase_hash(i + round * n) >> 6) & mask] += x[i];
	return to[0];
}

int main(void)
{
	enum { N = 2048 };
	size_t most = phase_size((size_t)4 << 20, N);
	double *x = (double *)phase_alloc(N, sizeof(*x)),
	       *y = (double *)phase_alloc(most, sizeof(*y));

	for (size_t i = 0; i < N; i++)
		x[i] = (double)i / N;
	PHASE(add_serially(x, N, 20000));
	PHASE(add_in_parallel(x, N, 60000));
	PHASE(evaluate_polynomial(y, x, N, 4000));
	PHASE(divide(y, x, N, 10000));
	PHASE(scatter_sums(y, x, most - 1, N, 2000));
	return phase_end_program();
}
