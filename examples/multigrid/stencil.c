/*
 * stencil.c - what is done to the points of a grid. resid and psinv are where the time goes: each
 * takes a point's 27 neighbours, on three rows of three planes.
 */
#include "multigrid.h"

/* The weights of a point itself, and of neighbours that share a face, an edge, a corner with it. */
static const double A[4] = { -8.0 / 3, 0.0, 1.0 / 6, 1.0 / 12 };
static const double C[4] = { -3.0 / 8, 1.0 / 32, -1.0 / 64, 0.0 };

#define AT(a, g, i3, i2, i1) (a)[(size_t)(i3) * (g).plane + (size_t)(i2) * (g).row + (size_t)(i1)]

/* A neighbour of point (i3, i2, i1). */
#define NEAR(a, d3, d2, d1) AT(a, g, i3 + (d3), i2 + (d2), i1 + (d1))

/*
 * r = v - A u. A point and its neighbours to the left and to the right have terms in common, which
 * are added up once: side has those in the middle of the faces around a row, edge those at its
 * edges.
 */
void resid(const double *u, const double *v, double *r, struct grid g, int i3, struct part p)
{
	double side[MOST_POINTS], edge[MOST_POINTS];

	for (int i2 = p.from2; i2 < p.to2; i2++) {
		for (int i1 = p.from1 - 1; i1 < p.to1 + 1; i1++) {
			side[i1] = NEAR(u, 0, -1, 0) + NEAR(u, 0, 1, 0) + NEAR(u, -1, 0, 0) +
				   NEAR(u, 1, 0, 0);
			edge[i1] = NEAR(u, -1, -1, 0) + NEAR(u, -1, 1, 0) + NEAR(u, 1, -1, 0) +
				   NEAR(u, 1, 1, 0);
		}
		for (int i1 = p.from1; i1 < p.to1; i1++)
			NEAR(r, 0, 0, 0) =
				NEAR(v, 0, 0, 0) - A[0] * NEAR(u, 0, 0, 0) -
				A[1] * (NEAR(u, 0, 0, -1) + NEAR(u, 0, 0, 1) + side[i1]) -
				A[2] * (edge[i1] + side[i1 - 1] + side[i1 + 1]) -
				A[3] * (edge[i1 - 1] + edge[i1 + 1]);
	}
}

/* u = u + C r, where C is near the inverse of A. */
void psinv(const double *r, double *u, struct grid g, int i3, struct part p)
{
	double side[MOST_POINTS], edge[MOST_POINTS];

	for (int i2 = p.from2; i2 < p.to2; i2++) {
		for (int i1 = p.from1 - 1; i1 < p.to1 + 1; i1++) {
			side[i1] = NEAR(r, 0, -1, 0) + NEAR(r, 0, 1, 0) + NEAR(r, -1, 0, 0) +
				   NEAR(r, 1, 0, 0);
			edge[i1] = NEAR(r, -1, -1, 0) + NEAR(r, -1, 1, 0) + NEAR(r, 1, -1, 0) +
				   NEAR(r, 1, 1, 0);
		}
		for (int i1 = p.from1; i1 < p.to1; i1++)
			NEAR(u, 0, 0, 0) +=
				C[0] * NEAR(r, 0, 0, 0) +
				C[1] * (NEAR(r, 0, 0, -1) + NEAR(r, 0, 0, 1) + side[i1]) +
				C[2] * (edge[i1] + side[i1 - 1] + side[i1 + 1]) +
				C[3] * (edge[i1 - 1] + edge[i1 + 1]);
	}
}

/* v of the coarse grid: a point is the sum of those around it, near ones weigh more. */
void rprj3(const double *r, struct grid fine, double *v, struct grid coarse)
{
	for (int j3 = 1; j3 < coarse.n - 1; j3++)
		for (int j2 = 1; j2 < coarse.n - 1; j2++)
			for (int j1 = 1; j1 < coarse.n - 1; j1++) {
				const double *near = &AT(r, fine, 2 * j3, 2 * j2, 2 * j1);
				double sum = 0;

				for (int d3 = -1; d3 <= 1; d3++)
					for (int d2 = -1; d2 <= 1; d2++) {
						const double *at = near +
								   d3 * (ptrdiff_t)fine.plane +
								   d2 * (ptrdiff_t)fine.row;

						sum += (at[-1] + 2 * at[0] + at[1]) /
						       ((1 + (d3 != 0)) * (1 + (d2 != 0)));
					}
				AT(v, coarse, j3, j2, j1) = sum / 4;
			}
}

/* u = u + z, where points between those of the coarse grid take the mean of their neighbours. */
void interp(const double *z, struct grid coarse, double *u, struct grid fine)
{
	for (int i3 = 1; i3 < fine.n - 1; i3++)
		for (int i2 = 1; i2 < fine.n - 1; i2++) {
			const double *a = &AT(z, coarse, i3 / 2, i2 / 2, 0);
			const double *b = &AT(z, coarse, i3 / 2, (i2 + 1) / 2, 0);
			const double *c = &AT(z, coarse, (i3 + 1) / 2, i2 / 2, 0);
			const double *d = &AT(z, coarse, (i3 + 1) / 2, (i2 + 1) / 2, 0);
			double *at = &AT(u, fine, i3, i2, 0);

			for (int j = 0; j < coarse.n - 1; j++) {
				double here = a[j] + b[j] + c[j] + d[j];
				double next = a[j + 1] + b[j + 1] + c[j + 1] + d[j + 1];

				at[2 * j] += here / 4;
				at[2 * j + 1] += (here + next) / 8;
			}
		}
}
