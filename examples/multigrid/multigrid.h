/*
 * multigrid.h - a multigrid solver of the kind that section 5.4 of the 2004 dissertation tunes: A u
 * = v in a cube, u = 0 on its surface, where A takes all 27 neighbours of a point.
 *
 * U, V and R are large one-dimensional arrays. Each holds the cubes of all grids, one after the
 * other; the functions get the beginning of one of them and a struct grid that says how it lies
 * there.
 */
#ifndef MULTIGRID_H
#define MULTIGRID_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_GRIDS = 16, MOST_POINTS = 2049 };

/* A cube of n points a side; those of its surface are always 0. */
struct grid {
	int n;
	size_t row, plane; /* doubles from one row, one plane to the next */
	size_t first;      /* where the cube begins in U, V and R */
};

/* layout.c: the coarsest grid is 0, the finest grids - 1. */
struct layout {
	int grids;
	struct grid grid[MOST_GRIDS];
	size_t size; /* doubles in each of U, V and R */
};

struct layout LayOut(int intervals, bool padded);

/* Part of a plane: from2 <= i2 < to2, from1 <= i1 < to1. */
struct part {
	int from2, to2, from1, to1;
};

/* stencil.c: resid and psinv work on a part of plane i3. */

void resid(const double *u, const double *v, double *r, struct grid g, int i3, struct part p);
void psinv(const double *r, double *u, struct grid g, int i3, struct part p);
void rprj3(const double *r, struct grid fine, double *v, struct grid coarse);
void interp(const double *z, struct grid coarse, double *u, struct grid fine);

/* cycle.c */
struct arrays {
	double *U, *V, *R;
};

/* Rows and columns that are worked on at a time; 0 rows: function by function, each on all. */
struct tile {
	int rows, columns;
};

/* Does V-cycles. R is then what is left: v - A u. Returns the seconds that resid and psinv took. */
double Solve(const struct layout *l, const struct arrays *a, int cycles, struct tile tile);

#endif
