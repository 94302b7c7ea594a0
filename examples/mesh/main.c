/*
 * mesh-pointers, mesh-contiguous, mesh-static - section 4.5.1 of the 2004 dissertation: matrices
 * that are trees of pointers, then trees in one piece, then no trees. docs/tutorial-mesh.md walks
 * through it. Try:
 *
 *    memspy run --machine buck-2004 -- ./mesh-pointers
 *    memspy report --by data
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mesh.h"

enum { SIDE = 16, STEPS = 10, MOST_STEPS = 100000 };

static void Usage(void)
{
	fprintf(stderr,
		"usage: mesh [SIDE [STEPS]]\n"
		"SIDE: nodes along a side of the cube, 2 to %d (%d)\n"
		"STEPS: in time, 1 to %d (%d)\n",
		MOST_SIDE, SIDE, MOST_STEPS, STEPS);
	exit(2);
}

static int Number(const char *text, const char *what, int least, int most)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (*text == '\0' || *end != '\0' || n < least || n > most) {
		fprintf(stderr, "mesh: found '%s', expected %s (%d to %d)\n", text, what, least,
			most);
		Usage();
	}
	return (int)n;
}

static void Clear(int nodes, vectors v)
{
	for (int i = 0; i < nodes; i++)
		for (int d = 0; d < 3; d++)
			v[i][d] = 0;
}

/* A body that is moved and turned a little as a whole must not feel a force: the largest one. */
static double ForceOfTurn(const struct mesh *m)
{
	double worst = 0;

	for (int i = 0; i < m->nodes; i++) {
		const double *x = m->place[i];

		disp[0][i][0] = 1 + 2 * x[1] - 3 * x[2];
		disp[0][i][1] = 2 - 2 * x[0] + 5 * x[2];
		disp[0][i][2] = 3 + 3 * x[0] - 5 * x[1];
	}
	Clear(m->nodes, disp[1]);
	smvp(m, K, disp[0], disp[1]);
	for (int i = 0; i < m->nodes; i++)
		for (int d = 0; d < 3; d++)
			worst = fmax(worst, fabs(disp[1][i][d]));
	for (int t = 0; t < 3; t++)
		Clear(m->nodes, disp[t]);
	return worst;
}

/* One step in time: after = 2 now - before - dt dt K now, with the force of a shock at node 0. */
static void Step(const struct mesh *m, int step, vectors before, vectors now, vectors after)
{
	const double dt = 0.1, damping = 0.01;

	Clear(m->nodes, after);
	smvp(m, K, now, after);
	after[0][0] -= step < 5 ? 1 : 0;
	for (int i = 0; i < m->nodes; i++)
		for (int d = 0; d < 3; d++)
			after[i][d] = (2 - damping) * now[i][d] - (1 - damping) * before[i][d] -
				      dt * dt * after[i][d];
}

static double Seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Of all bits: equal only if every number is. */
static uint64_t Sum(int nodes, vectors v)
{
	uint64_t sum = 0;

	for (int i = 0; i < nodes; i++)
		for (int d = 0; d < 3; d++) {
			uint64_t bits;

			memcpy(&bits, &v[i][d], sizeof(bits));
			sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
		}
	return sum;
}

int main(int argc, char **argv)
{
	if (argc > 3)
		Usage();
	int side = argc > 1 ? Number(argv[1], "nodes along a side", 2, MOST_SIDE) : SIDE;
	int steps = argc > 2 ? Number(argv[2], "a number of steps", 1, MOST_STEPS) : STEPS;
	struct mesh m = MakeMesh(side);

	mem_init(m.nodes, m.blocks);
	Stiffen(&m, K);

	double force = ForceOfTurn(&m);
	double begin = Seconds();

	for (int s = 0; s < steps; s++)
		Step(&m, s, disp[s % 3], disp[(s + 1) % 3], disp[(s + 2) % 3]);
	fprintf(stderr, "steps: %.4f seconds\n", Seconds() - begin);

	vectors last = disp[(steps + 1) % 3];
	printf("%d nodes, %d blocks, %s, node 0 at %.6f, checksum %016llx\n", m.nodes, m.blocks,
	       force < 1e-9 ? "no force in a turn" : "wrong: a force in a turn", last[0][0],
	       (unsigned long long)Sum(m.nodes, last));
	return !(force < 1e-9 && isfinite(last[0][0]));
}
