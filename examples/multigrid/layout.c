/* layout.c - where the cubes of all grids lie in U, V and R. */
#include "multigrid.h"

enum { LINE = 64 / sizeof(double) };

/*
 * The sides of the cubes are near powers of two, so that rows and planes next to each other lie in
 * the same few sets of a cache. Padded rows fill whole lines, an odd number of them: rows, and the
 * planes that they make up, are then spread over all sets.
 */
static size_t RowOf(int n, bool padded)
{
	size_t lines = ((size_t)n + LINE - 1) / LINE;

	return padded ? (lines | 1) * LINE : (size_t)n;
}

struct layout LayOut(int intervals, bool padded)
{
	struct layout l = { .grids = 1 };

	for (int m = intervals; m % 2 == 0 && m > 2; m /= 2)
		l.grids++;
	for (int k = 0; k < l.grids; k++) {
		struct grid *g = &l.grid[k];

		g->n = (intervals >> (l.grids - 1 - k)) + 1;
		g->row = RowOf(g->n, padded);
		g->plane = (size_t)g->n * g->row;
		g->first = l.size;
		l.size += (size_t)g->n * g->plane;
	}
	return l;
}
