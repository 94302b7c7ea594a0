/*
 * conflicts.c - rows and arrays at distances of a power of two, which share few cache sets, and the
 * same with padding.
 *
 * fix: add_aligned_rows add_padded_rows 1
 * fix: sum_aligned_arrays sum_padded_arrays 1
 */
#include "phase.h"

#define ADD_ROWS(name)                                                                         \
	PHASE_FUNCTION double name(const double *a, size_t rows, size_t pitch, size_t columns, \
				   size_t rounds)                                              \
	{                                                                                      \
		double sum = 0;                                                                \
                                                                                               \
		for (size_t round = 0; round < rounds; round++)                                \
			for (size_t j = 0; j < columns; j++)                                   \
				for (size_t i = 0; i < rows; i++)                              \
					sum += a[i * pitch + j];                               \
		return sum;                                                                    \
	}

ADD_ROWS(add_aligned_rows)
ADD_ROWS(add_padded_rows)

#define SUM_ARRAYS(name)                                                                \
	PHASE_FUNCTION double name(double *a, size_t distance, size_t n, size_t rounds) \
	{                                                                               \
		const double *b = a + distance, *c = b + distance, *d = c + distance;   \
		const double *e = d + distance, *f = e + distance, *g = f + distance;   \
                                                                                        \
		for (size_t round = 0; round < rounds; round++)                         \
			for (size_t i = 0; i < n; i++)                                  \
				a[i] = b[i] + c[i] + d[i] + e[i] + f[i] + g[i];         \
		return a[n / 2];                                                        \
	}

SUM_ARRAYS(sum_aligned_arrays)
SUM_ARRAYS(sum_padded_arrays)

int main(void)
{
	enum { ROWS = 32, COLUMNS = 1024, PART = 512 };
	size_t pitch = KIB(128) / sizeof(double), distance = KIB(16) / sizeof(double);
	double *a = (double *)phase_alloc(ROWS * (pitch + 40), sizeof(*a));

	PHASE(add_aligned_rows(a, ROWS, phase_size(pitch, 0), COLUMNS, 1000));
	PHASE(add_padded_rows(a, ROWS, phase_size(pitch + 40, 0), COLUMNS, 1000));
	PHASE(sum_aligned_arrays(a, phase_size(distance, PART), PART, 60000));
	PHASE(sum_padded_arrays(a, phase_size(distance + PART, PART), PART, 60000));
	return phase_end_program();
}
