/*
 * graph.c [VERTICES [EDGES]] - a random graph: edges are drawn with a preference for low numbers,
 * sorted into adjacency lists by counting; then breadth-first searches and a count of triangles at
 * some vertices.
 */
#include "number.h"

struct graph {
	uint64_t vertices, edges;
	uint32_t *start, *to;
};

static __attribute__((noinline)) void draw_edges(uint32_t *from, uint32_t *to, uint64_t edges,
						 uint64_t vertices)
{
	uint64_t state = 88172645463325252ULL;

	for (uint64_t i = 0; i < edges; i++) {
		uint64_t a = (next_random(&state) >> 24) % vertices;

		from[i] = (uint32_t)((next_random(&state) >> 24) % vertices);
		to[i] = (uint32_t)(a * ((next_random(&state) >> 24) % vertices) / vertices);
	}
}

static __attribute__((noinline)) void count_degrees(uint32_t *start, const uint32_t *from,
						    uint64_t edges)
{
	for (uint64_t i = 0; i < edges; i++)
		start[from[i] + 1]++;
}

static __attribute__((noinline)) void place_edges(struct graph *g, uint32_t *next,
						  const uint32_t *from, const uint32_t *to)
{
	for (uint64_t i = 0; i < g->edges; i++)
		g->to[next[from[i]]++] = to[i];
}

static __attribute__((noinline)) uint64_t search(const struct graph *g, uint32_t *depth,
						 uint32_t *queue, uint32_t root, uint32_t base)
{
	uint64_t head = 0, tail = 1;

	queue[0] = root;
	depth[root] = base;
	while (head < tail) {
		uint32_t at = queue[head++];

		for (uint32_t k = g->start[at]; k < g->start[at + 1]; k++)
			if (depth[g->to[k]] < base) {
				depth[g->to[k]] = depth[at] + 1;
				queue[tail++] = g->to[k];
			}
	}
	return tail;
}

static __attribute__((noinline)) uint64_t count_triangles(const struct graph *g, uint32_t *mark,
							  uint64_t step)
{
	uint64_t found = 0;

	for (uint64_t v = 0; v < g->vertices; v += step) {
		for (uint32_t k = g->start[v]; k < g->start[v + 1]; k++)
			mark[g->to[k]] = (uint32_t)v + 1;
		for (uint32_t k = g->start[v]; k < g->start[v + 1]; k++) {
			uint32_t w = g->to[k];

			for (uint32_t j = g->start[w]; j < g->start[w + 1]; j++)
				found += mark[g->to[j]] == v + 1;
		}
	}
	return found;
}

int main(int argc, char **argv)
{
	uint64_t vertices = number(argc, argv, 1, 400000), edges = number(argc, argv, 2, 3000000);
	struct graph g = { vertices, edges, room(vertices + 1, sizeof(uint32_t)),
			   room(edges, sizeof(uint32_t)) };
	uint32_t *from = room(edges, sizeof(*from)), *to = room(edges, sizeof(*to));
	uint32_t *work = room(vertices + 1, sizeof(*work)), *queue = room(vertices, sizeof(*queue));
	uint64_t reached = 0;

	draw_edges(from, to, edges, vertices);
	count_degrees(g.start, from, edges);
	for (uint64_t v = 0; v < vertices; v++) {
		work[v] = g.start[v];
		g.start[v + 1] += g.start[v];
	}
	place_edges(&g, work, from, to);
	for (uint64_t v = 0; v < vertices; v++)
		work[v] = 0;
	for (uint32_t round = 0; round < 4; round++)
		reached += search(&g, work, queue, from[round], 1 + round * (1U << 20));
	for (uint64_t v = 0; v < vertices; v++)
		work[v] = 0;
	printf("graph %llu %llu\n", (unsigned long long)reached,
	       (unsigned long long)count_triangles(&g, work, 16));
	return 0;
}
