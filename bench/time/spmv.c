/*
 * spmv.c - a sparse matrix times a vector: compressed rows with random columns, with columns near
 * the diagonal (the same matrix, reordered), and in diagonals.
 *
 * fix: multiply_random multiply_banded 4
 */
#include "phase.h"

enum { EACH = 10 };

struct matrix {
	size_t rows;
	uint32_t *start, *column;
	double *value;
};

#define MULTIPLY(name)                                                                 \
	PHASE_FUNCTION double name(double *y, const struct matrix *m, const double *x, \
				   size_t rounds)                                      \
	{                                                                              \
		for (size_t round = 0; round < rounds; round++)                        \
			for (size_t i = 0; i < m->rows; i++) {                         \
				double sum = 0;                                        \
                                                                                       \
				for (size_t k = m->start[i]; k < m->start[i + 1]; k++) \
					sum += m->value[k] * x[m->column[k]];          \
				y[i] = sum;                                            \
			}                                                              \
		return y[m->rows / 2];                                                 \
	}

MULTIPLY(multiply_random)
MULTIPLY(multiply_banded)

PHASE_FUNCTION double multiply_diagonals(double *y, const double *value, const double *x,
					 size_t rows, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t d = 0; d < EACH; d++) {
			const double *diagonal = value + d * rows, *shifted = x + d;

			for (size_t i = 0; i < rows - EACH; i++)
				y[i] += diagonal[i] * shifted[i];
		}
	return y[rows / 2];
}

PHASE_FUNCTION double dot_vectors(const double *a, const double *b, size_t n, size_t rounds)
{
	double even = 0, odd = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i += 2) {
			even += a[i] * b[i];
			odd += a[i + 1] * b[i + 1];
		}
	return even + odd;
}

static struct matrix make(size_t rows, size_t reach)
{
	struct matrix m = { rows, (uint32_t *)phase_alloc(rows + 1, sizeof(uint32_t)),
			    (uint32_t *)phase_alloc(rows * EACH, sizeof(uint32_t)),
			    (double *)phase_alloc(rows * EACH, sizeof(double)) };
	uint64_t state = PHASE_SEED;

	for (size_t i = 0; i < rows; i++) {
		m.start[i + 1] = (uint32_t)((i + 1) * EACH);
		for (size_t k = i * EACH; k < (i + 1) * EACH; k++) {
			m.column[k] = (uint32_t)((i + (phase_random(&state) >> 24) % reach) % rows);
			m.value[k] = 1.0 / (double)(k + 1);
		}
	}
	return m;
}

int main(void)
{
	size_t rows = phase_size((size_t)1 << 20, 128), total = (size_t)1 << 20;
	struct matrix random = make(rows, rows), banded = make(rows, phase_size(200, 100));
	double *x = (double *)phase_alloc(rows, sizeof(*x)),
	       *y = (double *)phase_alloc(rows, sizeof(*y));

	for (size_t i = 0; i < rows; i++)
		x[i] = (double)(i % 7);
	PHASE(multiply_random(y, &random, x, phase_rounds(total, rows)));
	PHASE(multiply_banded(y, &banded, x, phase_rounds(4 * total, rows)));
	PHASE(multiply_diagonals(y, banded.value, x, rows, phase_rounds(5 * total, rows)));
	PHASE(dot_vectors(x, y, rows, phase_rounds(60 * total, rows)));
	return phase_end_program();
}
