/*
 * btree.c - a B-tree whose nodes have 15 keys and 16 children: lookups, short scans of leaves, and
 * the same lookups by binary search in one array.
 *
 * fix: find_by_binary_search find_in_btree 1
 */
#include "phase.h"

enum { FAN = 16 };

struct node {
	uint32_t keys[FAN]; /* sorted; the last one is above all */
	uint32_t child[FAN];
};

/* Key k is in place k; each level has FAN times the keys of the one above it. */
struct tree {
	struct node *nodes;
	uint32_t root;
	int height;
	size_t n;
};

PHASE_FUNCTION uint64_t find_in_btree(const struct tree *tree, size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		uint32_t key = (uint32_t)(phase_hash(k) % (tree->n)), at = tree->root;

		for (int level = 0; level < tree->height; level++) {
			const struct node *node = &tree->nodes[at];
			unsigned i = 0;

			for (unsigned j = 0; j < FAN - 1; j++)
				i += node->keys[j] <= key;
			at = node->child[i];
		}
		sum += at;
	}
	return sum;
}

/* From a random key on, the next hundred. */
PHASE_FUNCTION uint64_t scan_leaves(const struct tree *tree, size_t leaves, size_t scans)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < scans; k++) {
		uint32_t leaf = (uint32_t)(phase_hash(k) % (leaves - 8));

		for (uint32_t i = 0; i < 7; i++)
			for (unsigned j = 0; j < FAN; j++)
				sum += tree->nodes[leaf + i].child[j];
	}
	return sum;
}

PHASE_FUNCTION uint64_t find_by_binary_search(const uint32_t *keys, size_t n, size_t lookups)
{
	uint64_t sum = 0;

	for (size_t k = 0; k < lookups; k++) {
		uint32_t key = (uint32_t)(phase_hash(k) % (n));
		size_t low = 0, high = n;

		while (low < high) {
			size_t middle = (low + high) / 2;

			if (keys[middle] < key)
				low = middle + 1;
			else
				high = middle;
		}
		sum += low;
	}
	return sum;
}

/* Level by level from the leaves, which are first; a node's first key is the least of its child 1.
 */
static struct tree make(size_t n)
{
	struct tree tree = { (struct node *)phase_alloc(n / FAN + n / FAN / (FAN - 1) + FAN,
							sizeof(struct node)),
			     0, 1, n };
	size_t begin = 0, count = n / FAN, next = count, step = FAN;

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < FAN; j++) {
			tree.nodes[i].keys[j] = (uint32_t)(i * FAN + j + 1);
			tree.nodes[i].child[j] = (uint32_t)(i * FAN + j);
		}
	while (count > 1) {
		size_t parents = count / FAN;

		for (size_t i = 0; i < parents; i++, next++)
			for (size_t j = 0; j < FAN; j++) {
				tree.nodes[next].keys[j] = (uint32_t)((i * FAN + j + 1) * step);
				tree.nodes[next].child[j] = (uint32_t)(begin + i * FAN + j);
			}
		begin += count;
		count = parents;
		step *= FAN;
		tree.height++;
	}
	tree.root = (uint32_t)begin;
	return tree;
}

int main(void)
{
	/* Powers of FAN: six levels of nodes or three. */
	size_t n = phase_size((size_t)1 << 24, (size_t)1 << 12), lookups = 250000;
	struct tree tree = make(n);
	uint32_t *keys = (uint32_t *)phase_alloc(n, sizeof(*keys));

	for (size_t i = 0; i < n; i++)
		keys[i] = (uint32_t)i;
	PHASE(find_in_btree(&tree, lookups * phase_depth((size_t)1 << 24) / phase_depth(n)));
	PHASE(scan_leaves(&tree, n / FAN, 250000));
	PHASE(find_by_binary_search(keys, n,
				    lookups * phase_depth((size_t)1 << 24) / phase_depth(n)));
	return phase_end_program();
}
