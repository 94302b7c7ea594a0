/*
 * engine/simulated_pmu/object_tree.c - a balanced tree of objects by address: an AA tree, which is
 * a red-black tree whose red nodes are right children only. The rank of a node is the number of
 * black nodes from it to a leaf; a right child may have the same rank as its parent.
 */
#include "engine/simulated_pmu/interrupt_handler.h"

enum { BEFORE, AFTER };

static struct ms_pmu_object_node *at(const struct ms_pmu_object_tree *t, uint32_t node)
{
	return &t->nodes.at[node];
}

/* Rotates right if the left child has the rank of its parent. */
static uint32_t skew(struct ms_pmu_object_tree *t, uint32_t node)
{
	uint32_t left = at(t, node)->below[BEFORE];

	if (node == 0 || left == 0 || at(t, left)->rank != at(t, node)->rank)
		return node;
	at(t, node)->below[BEFORE] = at(t, left)->below[AFTER];
	at(t, left)->below[AFTER] = node;
	return left;
}

/* Rotates left if three nodes in a row have the same rank: the middle one becomes the parent. */
static uint32_t split(struct ms_pmu_object_tree *t, uint32_t node)
{
	uint32_t right = at(t, node)->below[AFTER];
	uint32_t last = at(t, right)->below[AFTER];

	if (node == 0 || last == 0 || at(t, last)->rank != at(t, node)->rank)
		return node;
	at(t, node)->below[AFTER] = at(t, right)->below[BEFORE];
	at(t, right)->below[BEFORE] = node;
	at(t, right)->rank++;
	return right;
}

static uint32_t make(struct ms_pmu_object_tree *t, uint64_t start, uint64_t address)
{
	uint32_t node;

	if (t->free.n > 0) {
		node = t->free.at[--t->free.n];
		address = at(t, node)->address;
	} else {
		node = (uint32_t)t->nodes.n;
		(void)ms_vec_add(&t->nodes);
	}
	*at(t, node) = (struct ms_pmu_object_node){ .start = start, .address = address, .rank = 1 };
	return node;
}

static uint32_t insert(struct ms_pmu_object_tree *t, uint32_t node, uint64_t start,
		       uint64_t address)
{
	if (node == 0)
		return make(t, start, address);

	unsigned side = start < at(t, node)->start ? BEFORE : AFTER;
	uint32_t below = insert(t, at(t, node)->below[side], start, address);

	at(t, node)->below[side] = below;
	return split(t, skew(t, node));
}

static bool is_there(const struct ms_pmu_object_tree *t, uint64_t start)
{
	uint32_t node = ms_pmu_find_node_from(t, start);

	return node != 0 && at(t, node)->start == start;
}

bool ms_pmu_add_node(struct ms_pmu_object_tree *t, uint64_t start, uint64_t address)
{
	bool is_new;

	if (t->nodes.n == 0)
		(void)ms_vec_add(&t->nodes);
	if (is_there(t, start))
		return false;
	is_new = t->free.n == 0;
	t->root = insert(t, t->root, start, address);
	t->count++;
	return is_new;
}

/* After the removal of a node below: lowers ranks and restores the invariants of the tree. */
static uint32_t rebalance(struct ms_pmu_object_tree *t, uint32_t node)
{
	uint32_t left = at(t, node)->below[BEFORE], right = at(t, node)->below[AFTER];
	uint32_t low =
		at(t, left)->rank < at(t, right)->rank ? at(t, left)->rank : at(t, right)->rank;

	if (low + 1 < at(t, node)->rank) {
		at(t, node)->rank = low + 1;
		if (at(t, right)->rank > low + 1)
			at(t, right)->rank = low + 1;
	}
	node = skew(t, node);
	right = skew(t, at(t, node)->below[AFTER]);
	at(t, node)->below[AFTER] = right;
	if (right != 0) {
		uint32_t last = skew(t, at(t, right)->below[AFTER]);

		at(t, right)->below[AFTER] = last;
	}
	node = split(t, node);
	right = split(t, at(t, node)->below[AFTER]);
	at(t, node)->below[AFTER] = right;
	return node;
}

/* Removes the leftmost node of the subtree, and stores its number in *taken. */
static uint32_t take_first(struct ms_pmu_object_tree *t, uint32_t node, uint32_t *taken)
{
	if (at(t, node)->below[BEFORE] == 0) {
		*taken = node;
		return at(t, node)->below[AFTER];
	}
	uint32_t below = take_first(t, at(t, node)->below[BEFORE], taken);

	at(t, node)->below[BEFORE] = below;
	return rebalance(t, node);
}

static uint32_t erase(struct ms_pmu_object_tree *t, uint32_t node, uint64_t start)
{
	struct ms_pmu_object_node *n = at(t, node);

	if (n->start != start) {
		unsigned side = start < n->start ? BEFORE : AFTER;

		n->below[side] = erase(t, n->below[side], start);
		return rebalance(t, node);
	}
	*ms_vec_add(&t->free) = node;
	if (n->below[AFTER] == 0)
		return n->below[BEFORE];
	/* The successor replaces the node. */
	uint32_t next = 0, right = take_first(t, n->below[AFTER], &next);
	at(t, next)->below[BEFORE] = n->below[BEFORE];
	at(t, next)->below[AFTER] = right;
	at(t, next)->rank = n->rank;
	return rebalance(t, next);
}

bool ms_pmu_remove_node(struct ms_pmu_object_tree *t, uint64_t start)
{
	if (!is_there(t, start))
		return false;
	t->root = erase(t, t->root, start);
	t->count--;
	return true;
}

uint32_t ms_pmu_find_node_from(const struct ms_pmu_object_tree *t, uint64_t start)
{
	uint32_t node = t->root, found = 0;

	while (node != 0) {
		bool reaches = at(t, node)->start >= start;

		found = reaches ? node : found;
		node = at(t, node)->below[reaches ? BEFORE : AFTER];
	}
	return found;
}

void ms_pmu_close_tree(struct ms_pmu_object_tree *t)
{
	ms_vec_free(&t->nodes);
	ms_vec_free(&t->free);
}
