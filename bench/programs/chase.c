/*
 * chase.c [NODES [STEPS]] - a pointer chase: every load needs the one before, and misses the first
 * level. It is small enough for the caches of most hosts: a program that itself waits for memory
 * most of the time hides what a tool costs.
 */
#include "number.h"

struct node {
	struct node *next;
	uint64_t value;
	char rest[48]; /* a line each */
};

/* One cycle through all nodes, in random order (Sattolo). */
static void link_nodes(struct node *nodes, uint64_t n)
{
	uint64_t state = 88172645463325252ULL;
	uint32_t *order = room(n, sizeof(*order));

	for (uint64_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	for (uint64_t i = n - 1; i > 0; i--) {
		uint64_t k = next_random(&state) % i;
		uint32_t swapped = order[i];

		order[i] = order[k];
		order[k] = swapped;
	}
	for (uint64_t i = 0; i < n; i++) {
		nodes[order[i]].next = &nodes[order[(i + 1) % n]];
		nodes[i].value = i;
	}
	free(order);
}

int main(int argc, char **argv)
{
	uint64_t n = number(argc, argv, 1, 12000), steps = number(argc, argv, 2, 20000000);
	struct node *nodes = room(n, sizeof(*nodes));
	const struct node *at = nodes;
	uint64_t sum = 0;

	link_nodes(nodes, n);
	for (uint64_t i = 0; i < steps; i++) {
		sum += at->value;
		at = at->next;
	}
	printf("chase %llu\n", (unsigned long long)sum);
	free(nodes);
	return 0;
}
