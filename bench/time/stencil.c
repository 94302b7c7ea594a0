/* stencil.c - neighbours in one, two and three dimensions, from one array into another. */
#include "phase.h"

PHASE_FUNCTION double smooth_line(double *to, const double *from, size_t n, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 1; i + 1 < n; i++)
			to[i] = 0.25 * (from[i - 1] + 2 * from[i] + from[i + 1]);
	return to[n / 2];
}

/* Rows are `pitch` apart: n for a plane; 0 for the same accesses in one row. */
PHASE_FUNCTION double smooth_plane(double *to, const double *from, size_t n, size_t pitch,
				   size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 1; i + 1 < n; i++) {
			const double *up = from + (i - 1) * pitch, *row = up + pitch;
			const double *down = row + pitch;
			double *out = to + i * pitch;

			for (size_t j = 1; j + 1 < n; j++)
				out[j] = 0.2 * (up[j] + down[j] + row[j - 1] + row[j] + row[j + 1]);
		}
	return to[n / 2];
}

PHASE_FUNCTION double smooth_volume(double *to, const double *from, size_t n, size_t row,
				    size_t plane, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 1; i + 1 < n; i++)
			for (size_t j = 1; j + 1 < n; j++) {
				const double *at = from + i * plane + j * row;
				const double *below = at - plane, *above = at + plane;
				const double *left = at - row, *right = at + row;
				double *out = to + i * plane + j * row;

				for (size_t k = 1; k + 1 < n; k++)
					out[k] = at[k] - 0.1 * (below[k] + above[k] + left[k] +
								right[k] + at[k - 1] + at[k + 1]);
			}
	return to[n / 2];
}

/* Gauss-Seidel: each value depends on the one before it. */
PHASE_FUNCTION double relax_plane(double *a, size_t n, size_t pitch, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 1; i + 1 < n; i++) {
			double *row = a + i * pitch;

			for (size_t j = 1; j + 1 < n; j++)
				row[j] = 0.25 * (row[j - 1] + row[j + 1] + row[j - pitch] +
						 row[j + pitch]);
		}
	return a[n / 2];
}

int main(void)
{
	size_t line = phase_size((size_t)8 << 20, 1024), side = 2048, edge = 180;
	size_t most = phase_size((size_t)8 << 20, 2048);
	size_t pitch = phase_size(side, 0), plane = phase_size(edge * edge, 0);
	double *a = (double *)phase_alloc(most, sizeof(*a)),
	       *b = (double *)phase_alloc(most, sizeof(*b));

	PHASE(smooth_line(a, b, line, phase_rounds((size_t)40 << 20, line)));
	PHASE(smooth_plane(a, b, side, pitch, 8));
	PHASE(smooth_volume(a, b, edge, phase_size(edge, 0), plane, 4));
	PHASE(relax_plane(a, side, pitch, 2));
	return phase_end_program();
}
