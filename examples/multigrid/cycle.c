/*
 * cycle.c - V-cycles: what is left is brought to coarser and coarser grids, and on the way back
 * each grid corrects the next finer one.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <string.h>
#include <time.h>

#include "multigrid.h"

/* One grid's part of the arrays. */
struct level {
	struct grid g;
	double *u, *v, *r;
};

static struct level Level(const struct layout *l, const struct arrays *a, int k)
{
	struct grid g = l->grid[k];

	return (struct level){ g, a->U + g.first, a->V + g.first, a->R + g.first };
}

/* --- relaxing: r = v - A u, u += C r, r = v - A u -----------------------------------------------
 */

enum { STEPS = 3 };

static int Clip(int i, int last)
{
	return i < 1 ? 1 : i > last + 1 ? last + 1 : i;
}

/* On what of the part is inside the cube. */
static void Step(const struct level *at, int step, int i3, struct part p)
{
	int last = at->g.n - 2;
	struct part inside = { Clip(p.from2, last), Clip(p.to2, last), Clip(p.from1, last),
			       Clip(p.to1, last) };

	if (i3 < 1 || i3 > last)
		return;
	if (step == 1)
		psinv(at->r, at->u, at->g, i3, inside);
	else
		resid(at->u, at->v, at->r, at->g, i3, inside);
}

static void RelaxPlain(const struct level *at)
{
	int n = at->g.n;

	for (int step = 0; step < STEPS; step++)
		for (int i3 = 1; i3 < n - 1; i3++)
			Step(at, step, i3, (struct part){ 1, n - 1, 1, n - 1 });
}

/*
 * All steps on a part of each plane before the next part. A step needs what the one before has made
 * of the points around, so each is a plane, a row and a column behind the one before.
 */
static void RelaxTiled(const struct level *at, struct tile tile)
{
	int end = at->g.n - 1 + STEPS - 1;

	for (int i2 = 1; i2 < end; i2 += tile.rows)
		for (int i1 = 1; i1 < end; i1 += tile.columns)
			for (int i3 = 1; i3 < end; i3++)
				for (int s = 0; s < STEPS; s++)
					Step(at, s, i3 - s,
					     (struct part){ i2 - s, i2 - s + tile.rows, i1 - s,
							    i1 - s + tile.columns });
}

static double Now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double Relax(struct level at, struct tile tile)
{
	double begin = Now();

	if (tile.rows > 0)
		RelaxTiled(&at, tile);
	else
		RelaxPlain(&at);
	return Now() - begin;
}

/* --- the cycle ----------------------------------------------------------------------------------
 */

static void Down(const struct layout *l, const struct arrays *a)
{
	for (int k = l->grids - 1; k > 0; k--) {
		struct level fine = Level(l, a, k), coarse = Level(l, a, k - 1);

		/* on all grids but the finest, u is 0 as yet: v itself is left */
		rprj3(k == l->grids - 1 ? fine.r : fine.v, fine.g, coarse.v, coarse.g);
	}
}

static double Up(const struct layout *l, const struct arrays *a, struct tile tile)
{
	double seconds = 0;

	for (int k = 0; k < l->grids; k++) {
		struct level at = Level(l, a, k);

		if (k < l->grids - 1)
			memset(at.u, 0, (size_t)at.g.n * at.g.plane * sizeof(*at.u));
		if (k > 0) {
			struct level coarse = Level(l, a, k - 1);

			interp(coarse.u, coarse.g, at.u, at.g);
		}
		seconds += Relax(at, tile);
	}
	return seconds;
}

double Solve(const struct layout *l, const struct arrays *a, int cycles, struct tile tile)
{
	struct level finest = Level(l, a, l->grids - 1);
	double seconds = 0;

	memcpy(finest.r, finest.v, (size_t)finest.g.n * finest.g.plane * sizeof(*finest.r));
	for (int i = 0; i < cycles; i++) {
		Down(l, a);
		seconds += Up(l, a, tile);
	}
	return seconds;
}
