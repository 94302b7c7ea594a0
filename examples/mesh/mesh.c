/*
 * mesh.c - a cube of side x side x side nodes, each somewhat out of its place, joined to its
 * neighbours along the edges of tetrahedra; numbered in no good order.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "mesh.h"

void *Take(size_t n, size_t size)
{
	void *at = calloc(n, size);

	if (at == NULL) {
		fprintf(stderr, "mesh: no memory for %zu x %zu bytes\n", n, size);
		exit(1);
	}
	return at;
}

static uint64_t Random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* Which number the node has that would be `i` in order: nodes change places with later ones near
 * by. */
static int *Shuffle(int nodes, uint64_t *state)
{
	enum { NEAR = 256 };
	int *number = Take((size_t)nodes, sizeof(*number));

	for (int i = 0; i < nodes; i++)
		number[i] = i;
	for (int i = 0; i + NEAR < nodes; i++) {
		int other = i + (int)(Random(state) % NEAR), kept = number[i];

		number[i] = number[other];
		number[other] = kept;
	}
	return number;
}

static void PlaceNodes(struct mesh *m, int side, const int *number, uint64_t *state)
{
	for (int i = 0; i < m->nodes; i++) {
		const int at[3] = { i % side, i / side % side, i / side / side };

		for (int d = 0; d < 3; d++)
			m->place[number[i]][d] = at[d] + (double)(Random(state) % 1000) / 4000;
	}
}

/* --- neighbours ------------------------------------------------------------------------------- */

/* Seven of a node's fourteen; it is the neighbour of the others. -1: outside the cube. */
static int Neighbour(int side, int i, int which)
{
	const int at[3] = { i % side, i / side % side, i / side / side };
	const int step[3] = { which & 1, which >> 1 & 1, which >> 2 };

	for (int d = 0; d < 3; d++)
		if (at[d] + step[d] >= side)
			return -1;
	return i + step[0] + side * (step[1] + side * step[2]);
}

/* Calls for each pair of neighbours, with the smaller number first. */
static void ForEachPair(const struct mesh *m, int side, const int *number, int *next,
			void (*call)(const struct mesh *m, int row, int col, int *next))
{
	for (int i = 0; i < m->nodes; i++)
		for (int which = 1; which < 8; which++) {
			int j = Neighbour(side, i, which);

			if (j < 0)
				continue;
			int a = number[i], b = number[j];

			call(m, a < b ? a : b, a < b ? b : a, next);
		}
}

static void CountPair(const struct mesh *m, int row, int col, int *next)
{
	(void)col;
	(void)next;
	m->Aindex[row + 1]++;
}

static void StorePair(const struct mesh *m, int row, int col, int *next)
{
	m->Acol[next[row]++] = col;
}

struct mesh MakeMesh(int side)
{
	int nodes = side * side * side;
	struct mesh m = { .nodes = nodes,
			  .place = Take((size_t)nodes, sizeof(*m.place)),
			  .Aindex = Take((size_t)nodes + 1, sizeof(*m.Aindex)) };
	uint64_t state = 88172645463325252u;
	int *number = Shuffle(nodes, &state);
	int *next = Take((size_t)nodes, sizeof(*next));

	PlaceNodes(&m, side, number, &state);
	for (int i = 0; i < nodes; i++)
		m.Aindex[i + 1] = 1;
	ForEachPair(&m, side, number, next, CountPair);
	for (int i = 0; i < nodes; i++)
		m.Aindex[i + 1] += m.Aindex[i];
	m.blocks = m.Aindex[nodes];
	m.Acol = Take((size_t)m.blocks, sizeof(*m.Acol));
	for (int i = 0; i < nodes; i++) {
		next[i] = m.Aindex[i];
		m.Acol[next[i]++] = i;
	}
	ForEachPair(&m, side, number, next, StorePair);
	free(next);
	free(number);
	return m;
}

/* --- springs ---------------------------------------------------------------------------------- */

static void AddSpring(const struct mesh *m, blocks k, int row, int at)
{
	int col = m->Acol[at];
	double d[3], square = 0;

	for (int a = 0; a < 3; a++) {
		d[a] = m->place[col][a] - m->place[row][a];
		square += d[a] * d[a];
	}
	for (int a = 0; a < 3; a++)
		for (int b = 0; b < 3; b++) {
			double stiffness = d[a] * d[b] / (square * sqrt(square));

			k[at][a][b] -= stiffness;
			k[m->Aindex[row]][a][b] += stiffness;
			k[m->Aindex[col]][a][b] += stiffness;
		}
}

void Stiffen(const struct mesh *m, blocks k)
{
	for (int i = 0; i < m->nodes; i++)
		for (int at = m->Aindex[i] + 1; at < m->Aindex[i + 1]; at++)
			AddSpring(m, k, i, at);
}
