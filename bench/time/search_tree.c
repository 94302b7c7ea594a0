/*
 * search_tree.c - a binary search tree of nodes, looked up and traversed, and the same keys in an
 * array in the order of the tree's levels.
 *
 * fix: find_in_tree find_in_array 1
 * calls: traverse_tree add_nodes
 */
#include "phase.h"

struct node {
	struct node *child[2];
	uint64_t key, value;
};

PHASE_FUNCTION uint64_t find_in_tree(const struct node *root, size_t n, size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		uint64_t key = phase_hash(k) % n;
		const struct node *at = root;

		while (at != NULL && at->key != key)
			at = at->child[key > at->key];
		sum += at != NULL ? at->value : 0;
	}
	return sum;
}

static __attribute__((noinline)) uint64_t add_nodes(const struct node *at)
{
	uint64_t sum = 0;

	for (; at != NULL; at = at->child[1])
		sum += at->value + add_nodes(at->child[0]);
	return sum;
}

PHASE_FUNCTION uint64_t traverse_tree(const struct node *root, size_t rounds)
{
	uint64_t sum = 0;

	for (size_t round = 0; round < rounds; round++)
		sum += add_nodes(root);
	return sum;
}

PHASE_FUNCTION uint64_t find_in_array(const uint64_t *keys, size_t n, size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		uint64_t key = phase_hash(k) % n;
		size_t at = 1;

		while (at <= n && keys[at] != key)
			at = 2 * at + (key > keys[at]);
		sum += at;
	}
	return sum;
}

/* A balanced tree of the keys from `low` on, whose nodes are where `order` says. */
static struct node *build(struct node *nodes, const uint32_t *order, size_t low, size_t n)
{
	if (n == 0)
		return NULL;
	struct node *at = &nodes[order[low + n / 2]];
	at->key = at->value = low + n / 2;
	at->child[0] = build(nodes, order, low, n / 2);
	at->child[1] = build(nodes, order, low + n / 2 + 1, n - n / 2 - 1);
	return at;
}

static size_t fill(uint64_t *keys, size_t at, size_t n, size_t next)
{
	if (at > n)
		return next;
	next = fill(keys, 2 * at, n, next);
	keys[at] = next++;
	return fill(keys, 2 * at + 1, n, next);
}

int main(void)
{
	size_t n = phase_size(((size_t)1 << 20) - 1, 511), total = 6000000;
	struct node *nodes = (struct node *)phase_alloc(n, sizeof(*nodes));
	struct node *root = build(nodes, phase_permutation(n), 0, n);
	uint64_t *keys = (uint64_t *)phase_alloc(n + 1, sizeof(*keys));

	fill(keys, 1, n, 0);
	PHASE(find_in_tree(root, n, total / phase_depth(n)));
	PHASE(traverse_tree(root, phase_rounds((size_t)1 << 20, n)));
	PHASE(find_in_array(keys, n, total / phase_depth(n)));
	return phase_end_program();
}
