/*
 * matmul.c - matrix products: rows by columns, loops exchanged, and in blocks.
 *
 * fix: multiply_naively multiply_by_rows 1
 * fix: multiply_naively multiply_blocks 1
 */
#include "phase.h"

/* Rows are `pitch` apart: as long as they are, or 0 for the same accesses in one row. */
PHASE_FUNCTION double multiply_naively(double *c, const double *a, const double *b, size_t n,
				       size_t pitch)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = 0;

			for (size_t k = 0; k < n; k++)
				sum += a[i * pitch + k] * b[k * pitch + j];
			c[i * pitch + j] = sum;
		}
	return c[n / 2];
}

PHASE_FUNCTION double multiply_by_rows(double *restrict c, const double *a, const double *b,
				       size_t n, size_t pitch)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			double factor = a[i * pitch + k];

			for (size_t j = 0; j < n; j++)
				c[i * pitch + j] += factor * b[k * pitch + j];
		}
	return c[n / 2];
}

PHASE_FUNCTION double multiply_blocks(double *restrict c, const double *a, const double *b,
				      size_t n, size_t pitch)
{
	enum { BLOCK = 40 };

	for (size_t top = 0; top < n; top += BLOCK)
		for (size_t left = 0; left < n; left += BLOCK)
			for (size_t i = 0; i < n; i++)
				for (size_t k = top; k < top + BLOCK; k++) {
					double factor = a[i * pitch + k];

					for (size_t j = left; j < left + BLOCK; j++)
						c[i * pitch + j] += factor * b[k * pitch + j];
				}
	return c[n / 2];
}

int main(void)
{
	enum { SIDE = 440 };
	size_t pitch = phase_size(SIDE, 0), cells = phase_size((size_t)SIDE * SIDE, SIDE);
	double *a = (double *)phase_alloc(cells, sizeof(*a)),
	       *b = (double *)phase_alloc(cells, sizeof(*b));
	double *c = (double *)phase_alloc(cells, sizeof(*c));

	for (size_t i = 0; i < cells; i++)
		a[i] = b[i] = (double)(i % 3) / 4;
	PHASE(multiply_naively(c, a, b, SIDE, pitch));
	PHASE(multiply_by_rows(c, a, b, SIDE, pitch));
	PHASE(multiply_blocks(c, a, b, SIDE, pitch));
	return phase_end_program();
}
