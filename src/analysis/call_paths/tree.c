/* analysis/call_paths/tree.c - all call paths as one tree of functions. */
#include <stdlib.h>
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "base/map.h"
#include "base/mem.h"

struct growing_tree {
	struct ms_paths_tree *tree;
	struct ms_map number; /* (parent, code) */
	struct ms_map cost;   /* (node, data) */
};

static uint32_t node_at(struct growing_tree *g, uint32_t parent, uint32_t code)
{
	uint32_t *number = ms_map_at(&g->number, parent, code);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)g->tree->at.n;
		*ms_vec_add(&g->tree->at) = (struct ms_paths_node){ parent, code, 0 };
	}
	return *number;
}

/* By path: the node of the function that makes its last call; MS_NONE: no caller is known. Parents
 * of paths have lower numbers. */
static uint32_t *nodes_of_paths(struct growing_tree *g, const struct ms_run *run)
{
	uint32_t *node = ms_alloc((run->paths.n + 1) * sizeof(*node));

	for (size_t i = 0; i < run->paths.n; i++) {
		const struct ms_run_path *path = &run->paths.at[i];

		if (path->line != MS_NONE)
			node[i] = node_at(g, node[path->parent], run->lines.at[path->line].code);
		else
			node[i] = path->kind == MS_PATH_OTHER ? node_at(g, MS_NONE, MS_NONE)
							      : MS_NONE;
	}
	return node;
}

static void add_cost(struct growing_tree *g, uint32_t node, const struct ms_paths_row *row)
{
	uint32_t *number = ms_map_at(&g->cost, node, row->data);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)g->tree->costs.n;
		*ms_vec_add(&g->tree->costs) = (struct ms_paths_cost){ node, row->data, 0 };
	}
	g->tree->costs.at[*number].stall += row->stall;
	g->tree->at.at[node].stall += row->stall;
}

static int by_stall(const void *a, const void *b)
{
	const struct ms_paths_cost *x = a, *y = b;

	if (x->stall != y->stall)
		return x->stall > y->stall ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->data < y->data ? -1 : x->data > y->data;
}

void ms_paths_make_tree(struct ms_paths_tree *tree, const struct ms_paths_rows *rows)
{
	const struct ms_run *run = rows->run;
	struct growing_tree g = { .tree = tree };

	*tree = (struct ms_paths_tree){ 0 };
	uint32_t *caller = nodes_of_paths(&g, run);

	for (size_t i = 0; i < rows->at.n; i++) {
		const struct ms_paths_row *row = &rows->at.at[i];

		add_cost(&g, node_at(&g, caller[row->path], run->lines.at[row->line].code), row);
	}
	/* Callers have lower numbers than what they call. */
	for (size_t i = tree->at.n; i-- > 0;)
		if (tree->at.at[i].parent != MS_NONE)
			tree->at.at[tree->at.at[i].parent].stall += tree->at.at[i].stall;
	if (tree->costs.n > 0)
		qsort(tree->costs.at, tree->costs.n, sizeof(tree->costs.at[0]), by_stall);
	ms_map_free(&g.number);
	ms_map_free(&g.cost);
	ms_free(caller);
}

void ms_paths_free_tree(struct ms_paths_tree *tree)
{
	ms_vec_free(&tree->at);
	ms_vec_free(&tree->costs);
}
