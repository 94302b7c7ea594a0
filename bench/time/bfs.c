/*
 * bfs.c - breadth-first search in graphs of eight neighbours a vertex: with random numbers of
 * vertices, and with neighbours that have similar numbers.
 *
 * fix: search_shuffled_graph search_ordered_graph 2
 */
#include "phase.h"

enum { DEGREE = 8 };

struct graph {
	size_t n;
	uint32_t *edges; /* DEGREE for each vertex */
};

/* Depths of former searches are below `base`: so they need not be cleared. */
#define SEARCH(name)                                                                          \
	PHASE_FUNCTION uint64_t name(const struct graph *g, uint32_t *depth, uint32_t *queue, \
				     size_t rounds)                                           \
	{                                                                                     \
		uint64_t reached = 0;                                                         \
		uint32_t base = 1;                                                            \
                                                                                              \
		for (size_t round = 0; round < rounds; round++) {                             \
			size_t head = 0, tail = 1;                                            \
                                                                                              \
			queue[0] = (uint32_t)(round % g->n);                                  \
			depth[queue[0]] = base;                                               \
			while (head < tail) {                                                 \
				uint32_t from = queue[head++], next = depth[from] + 1;        \
				const uint32_t *edge = g->edges + (size_t)from * DEGREE;      \
                                                                                              \
				for (int k = 0; k < DEGREE; k++)                              \
					if (depth[edge[k]] < base) {                          \
						depth[edge[k]] = next;                        \
						queue[tail++] = edge[k];                      \
					}                                                     \
			}                                                                     \
			base = depth[queue[tail - 1]] + 1;                                    \
			reached += tail;                                                      \
		}                                                                             \
		return reached;                                                               \
	}

SEARCH(search_shuffled_graph)
SEARCH(search_ordered_graph)

/* One step of label propagation: each vertex takes the smallest label around it. */
PHASE_FUNCTION uint64_t spread_labels(const struct graph *g, uint32_t *labels, size_t rounds)
{
	for (size_t round = 0; round < rounds; round++)
		for (size_t v = 0; v < g->n; v++) {
			const uint32_t *edge = g->edges + v * DEGREE;
			uint32_t least = labels[v];

			for (int k = 0; k < DEGREE; k++)
				least = labels[edge[k]] < least ? labels[edge[k]] : least;
			labels[v] = least;
		}
	return labels[g->n / 2];
}

/* Half of the edges lead to the next vertices, so that everything is connected; `name` gives each
 * vertex its number. */
static struct graph make(size_t n, size_t reach, const uint32_t *name)
{
	struct graph g = { n, (uint32_t *)phase_alloc(n * DEGREE, sizeof(uint32_t)) };
	uint64_t state = PHASE_SEED;

	for (size_t v = 0; v < n; v++)
		for (size_t k = 0; k < DEGREE; k++) {
			size_t far = k % 2 == 0 ? k / 2 + 1 : (phase_random(&state) >> 24) % reach;
			size_t from = name != NULL ? name[v] : v, to = (v + far) % n;

			g.edges[from * DEGREE + k] = (uint32_t)(name != NULL ? name[to] : to);
		}
	return g;
}

int main(void)
{
	size_t n = phase_size((size_t)1 << 20, 512);
	struct graph shuffled = make(n, phase_size(4096, 64), phase_permutation(n));
	struct graph ordered = make(n, phase_size(4096, 64), NULL);
	uint32_t *depth = (uint32_t *)phase_alloc(n, sizeof(*depth));
	uint32_t *queue = (uint32_t *)phase_alloc(n, sizeof(*queue));

	PHASE(search_shuffled_graph(&shuffled, depth, queue, phase_rounds((size_t)1 << 20, n)));
	memset(depth, 0, n * sizeof(*depth));
	PHASE(search_ordered_graph(&ordered, depth, queue, phase_rounds((size_t)2 << 20, n)));
	for (size_t i = 0; i < n; i++)
		depth[i] = (uint32_t)(i * 2654435761U);
	PHASE(spread_labels(&shuffled, depth, phase_rounds((size_t)2 << 20, n)));
	return phase_end_program();
}
