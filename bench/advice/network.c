/* advice: pointer-chasing data: node */
/*
 * Updates potentials along a spanning tree, as network simplex codes do: nodes are visited by
 * pointers, each loads its arc. Afterwards nodes and arcs lie in the order of the tree's traversal.
 */
#include "common.h"

struct arc {
	int64_t cost, flow;
};

struct node {
	struct node *pred, *next;
	struct arc *basic_arc;
	int64_t potential;
};

enum { N = 400000, ROUNDS = 8 };

static struct node *node;
static struct arc *arc;

static KEEP int64_t refresh_potentials(struct node *root)
{
	int64_t sum = 0;

	for (struct node *n = root->next; n != NULL; n = n->next) {
		n->potential = n->pred->potential + n->basic_arc->cost;
		sum += n->potential;
	}
	return sum;
}

int main(void)
{
	uint32_t *order = malloc(N * sizeof(*order)), *arcs = malloc(N * sizeof(*arcs));
	int64_t sum = 0;

	node = calloc(N, sizeof(*node));
	arc = calloc(N, sizeof(*arc));
	shuffle(order, N, 3);
	shuffle(arcs, N, 9);
#ifdef AFTER
	for (uint32_t i = 0; i < N; i++)
		order[i] = arcs[i] = i;
#endif
	for (uint32_t i = 0; i < N; i++) {
		struct node *n = &node[order[i]];

		n->next = i + 1 < N ? &node[order[i + 1]] : NULL;
		n->pred = &node[order[i / 2]];
		n->basic_arc = &arc[arcs[i]];
		n->basic_arc->cost = i % 100;
	}
	for (int r = 0; r < ROUNDS; r++)
		sum += refresh_potentials(&node[order[0]]);
	printf("%lld\n", (long long)sum);
	return 0;
}
