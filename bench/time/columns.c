/*
 * columns.c - a matrix by rows and by columns.
 *
 * fix: sum_columns sum_rows 4
 * fix: scale_columns scale_rows 15
 */
#include "phase.h"

/* Rows are `pitch` apart: as long as they are, or 0 for the same accesses in one row. */
PHASE_FUNCTION double sum_rows(const double *a, size_t n, size_t pitch, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				sum += a[i * pitch + j];
	return sum;
}

PHASE_FUNCTION double sum_columns(const double *a, size_t n, size_t pitch, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t j = 0; j < n; j++)
			for (size_t i = 0; i < n; i++)
				sum += a[i * pitch + j];
	return sum;
}

PHASE_FUNCTION double sum_padded_columns(const double *a, size_t n, size_t pitch, size_t rounds)
{
	double sum = 0;

	for (size_t round = 0; round < rounds; round++)
		for (size_t j = 0; j < n; j++)
			for (size_t i = 0; i < n; i++)
				sum += a[i * pitch + j];
	return sum;
}

PHASE_FUNCTION double scale_rows(double *to, const double *from, size_t n, size_t pitch,
				 size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				to[i * pitch + j] = 2.0 * from[i * pitch + j];
	return to[n];
}

PHASE_FUNCTION double scale_columns(double *to, const double *from, size_t n, size_t pitch,
				    size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t j = 0; j < n; j++)
			for (size_t i = 0; i < n; i++)
				to[i * pitch + j] = 2.0 * from[i * pitch + j];
	return to[n];
}

int main(void)
{
	enum { SIDE = 1500, PAD = 24 };
	size_t pitch = phase_size(SIDE, 0), padded = phase_size(SIDE + PAD, 0);
	size_t cells = phase_size((size_t)SIDE * (SIDE + PAD), 2 * SIDE);
	double *a = (double *)phase_alloc(cells, sizeof(*a)),
	       *b = (double *)phase_alloc(cells, sizeof(*b));

	PHASE(sum_rows(a, SIDE, pitch, 20));
	PHASE(sum_columns(a, SIDE, pitch, 5));
	PHASE(sum_padded_columns(a, SIDE, padded, 2));
	PHASE(scale_rows(b, a, SIDE, pitch, 30));
	PHASE(scale_columns(b, a, SIDE, pitch, 2));
	return phase_end_program();
}
