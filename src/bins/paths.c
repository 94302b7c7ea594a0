/*
 * bins/paths.c - call paths: equal ones are one data bin.
 *
 * Paths are kept as a tree, the outermost call at its root. Recursion is folded: a path that repeats
 * its last few calls at once is the path without the repetition, so that a tree built by a recursive
 * function is one bin and not one per depth.
 */
#include <string.h>

#include "bins/binder_priv.h"

enum { LONGEST_CYCLE = 4 };

static bool same_pc(struct ms_bound_pc a, struct ms_bound_pc b)
{
	return a.module == b.module && a.offset == b.offset;
}

/* Drops the last k calls while they repeat the k before them; returns the new length. */
static size_t fold(const struct ms_bound_pc *path, size_t n)
{
	for (size_t k = 1; k <= LONGEST_CYCLE && 2 * k <= n; k++) {
		size_t i = 0;

		while (i < k && same_pc(path[n - 1 - i], path[n - 1 - k - i]))
			i++;
		if (i == k)
			return n - k;
	}
	return n;
}

static uint32_t node_at(struct ms_binder *binder, uint32_t outer, struct ms_bound_pc pc)
{
	uint32_t *node = ms_map_at(&binder->node_of, outer, ms_binder_pc_key(pc));

	if (*node == MS_MAP_NONE) {
		*node = (uint32_t)binder->nodes.n;
		*ms_vec_add(&binder->nodes) =
			(struct path_node){ outer, pc, MS_MAP_NONE, MS_MAP_NONE };
	}
	return *node;
}

int ms_binder_path(struct ms_binder *binder, uint32_t number, const uint64_t *words, size_t n,
		   struct ms_err *err)
{
	struct ms_bound_pc path[MS_WIRE_MAX_PATH];
	size_t length = 0;
	uint32_t node = 0;

	if (number != binder->path_nodes.n || n > MS_WIRE_MAX_PATH)
		return ms_fail(err, MS_EFORMAT,
			       "stream: path %u of %zu calls, expected path %zu of at most %d", number,
			       n, binder->path_nodes.n, MS_WIRE_MAX_PATH);
	for (size_t i = n; i-- > 0;) {
		/* The return address may be the next function's first byte. */
		path[length] = ms_binder_locate(binder, words[i] - 1);
		path[length].offset++;
		length = fold(path, length + 1);
	}
	for (size_t i = 0; i < length; i++)
		node = node_at(binder, node, path[i]);
	*ms_vec_add(&binder->path_nodes) = node;
	return MS_OK;
}

static int node_of_path(const struct ms_binder *binder, uint32_t path, uint32_t *node,
			struct ms_err *err)
{
	if (path >= binder->path_nodes.n)
		return ms_fail(err, MS_EFORMAT, "stream: path %u was never described", path);
	*node = binder->path_nodes.at[path];
	return MS_OK;
}

static uint32_t add_path_data(struct ms_binder *binder, uint32_t node, enum ms_bound_kind kind)
{
	return ms_binder_add_data(binder, &(struct ms_bound_data){ .kind = kind,
								   .module = MS_BOUND_NO_MODULE,
								   .node = node });
}

int ms_binder_heap(struct ms_binder *binder, uint32_t path, uint32_t *data, struct ms_err *err)
{
	uint32_t node = 0;

	MS_TRY(node_of_path(binder, path, &node, err));
	if (binder->nodes.at[node].heap_data == MS_MAP_NONE)
		binder->nodes.at[node].heap_data = add_path_data(binder, node, MS_BOUND_HEAP);
	*data = binder->nodes.at[node].heap_data;
	return MS_OK;
}

int ms_binder_mapping(struct ms_binder *binder, uint32_t path, uint32_t *data, struct ms_err *err)
{
	uint32_t node = 0;

	MS_TRY(node_of_path(binder, path, &node, err));
	if (binder->nodes.at[node].mapping_data == MS_MAP_NONE)
		binder->nodes.at[node].mapping_data = add_path_data(binder, node, MS_BOUND_MAPPING);
	*data = binder->nodes.at[node].mapping_data;
	return MS_OK;
}

size_t ms_binder_node_path(const struct ms_binder *binder, uint32_t node, struct ms_bound_pc *pcs,
			   size_t cap)
{
	size_t n = 0;

	/* A node is the innermost call; its outer node the one around it. */
	for (; node != 0; node = binder->nodes.at[node].outer, n++)
		if (n < cap)
			pcs[n] = binder->nodes.at[node].pc;
	return n;
}
