/*
 * transposition.c - a matrix into its transpose: strided stores, strided loads, and both in blocks.
 *
 * fix: transpose_by_rows transpose_blocks 1
 * fix: transpose_by_columns transpose_blocks 1
 */
#include "phase.h"

/* Rows are `pitch` apart: as long as they are, or 0 for the same accesses in one row. */
PHASE_FUNCTION float transpose_by_rows(float *to, const float *from, size_t n, size_t pitch,
				       size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				to[j * pitch + i] = from[i * pitch + j];
	return to[n / 2];
}

PHASE_FUNCTION float transpose_by_columns(float *to, const float *from, size_t n, size_t pitch,
					  size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j < n; j++)
				to[i * pitch + j] = from[j * pitch + i];
	return to[n / 2];
}

PHASE_FUNCTION float transpose_blocks(float *to, const float *from, size_t n, size_t pitch,
				      size_t rounds)
{
	enum { BLOCK = 16 };

	for (size_t round = 0; round < rounds; round++)
		for (size_t top = 0; top < n; top += BLOCK)
			for (size_t left = 0; left < n; left += BLOCK)
				for (size_t i = top; i < top + BLOCK; i++)
					for (size_t j = left; j < left + BLOCK; j++)
						to[j * pitch + i] = from[i * pitch + j];
	return to[n / 2];
}

int main(void)
{
	enum { SIDE = 2400 };
	size_t pitch = phase_size(SIDE, 0), cells = phase_size((size_t)SIDE * SIDE, SIDE);
	float *a = (float *)phase_alloc(cells, sizeof(*a)),
	      *b = (float *)phase_alloc(cells, sizeof(*b));

	PHASE(transpose_by_rows(b, a, SIDE, pitch, 3));
	PHASE(transpose_by_columns(b, a, SIDE, pitch, 3));
	PHASE(transpose_blocks(b, a, SIDE, pitch, 3));
	return phase_end_program();
}
