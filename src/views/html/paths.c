/* views/html/paths.c - call paths as tables of the page. */
#include "analysis/call_paths/call_paths.h"
#include "base/mem.h"
#include "views/html/html_priv.h"

/* The least stall of a node that the page has: few nodes are wide enough to be seen. */
static uint64_t least_stall(const struct ms_paths_tree *tree, uint64_t all)
{
	uint64_t least = all / MS_HTML_NARROWEST + 1;
	size_t n;

	do {
		n = 0;
		for (size_t i = 0; i < tree->at.n; i++)
			n += tree->at.at[i].stall >= least;
		least *= 2;
	} while (n > MS_HTML_PATHS);
	return least / 2;
}

/* A caller has at least the stall of what it calls, so it is in the table, too. */
static void put_nodes(struct ms_html_packed *p, const struct ms_paths_tree *tree,
		      const struct ms_html_rows *rows, uint64_t least, uint32_t *row)
{
	uint32_t n = 0;

	for (size_t i = 0; i < tree->at.n; i++) {
		const struct ms_paths_node *node = &tree->at.at[i];

		row[i] = MS_NONE;
		if (node->stall < least)
			continue;
		row[i] = n++;
		ms_html_packed_row(p);
		if (node->parent == MS_NONE)
			ms_html_packed_null(p);
		else
			ms_html_packed_u64(p, row[node->parent]);
		if (node->code == MS_NONE)
			ms_html_packed_null(p);
		else
			ms_html_packed_u64(p, rows->code[node->code]);
		ms_html_packed_u64(p, node->stall);
	}
}

void ms_html_put_paths(struct ms_html_packed *p, const struct ms_summary *summary,
		       const struct ms_html_rows *rows)
{
	struct ms_paths_rows costs = { 0 };
	struct ms_paths_tree tree = { 0 };
	struct ms_err ignored;
	bool known = ms_paths_are_known(summary->run) &&
		     ms_paths_make_rows(&costs, summary, &ignored) == MS_OK;

	if (known)
		ms_paths_make_tree(&tree, &costs);
	uint32_t *row = ms_alloc((tree.at.n + 1) * sizeof(*row));
	uint64_t least = least_stall(&tree, costs.stall);

	ms_html_packed_table(p, "paths");
	ms_html_packed_column(p, "parent");
	ms_html_packed_column(p, "code");
	ms_html_packed_column(p, "inclusive");
	put_nodes(p, &tree, rows, least, row);
	ms_html_packed_end(p);
	ms_html_packed_table(p, "path_costs");
	ms_html_packed_column(p, "path");
	ms_html_packed_column(p, "data");
	ms_html_packed_column(p, "stall");
	for (size_t i = 0, n = 0; i < tree.costs.n && n < MS_HTML_PATH_COSTS; i++) {
		const struct ms_paths_cost *cost = &tree.costs.at[i];

		if (row[cost->node] == MS_NONE || cost->stall == 0)
			continue;
		ms_html_packed_row(p);
		ms_html_packed_u64(p, row[cost->node]);
		ms_html_packed_u64(p, rows->data[cost->data]);
		ms_html_packed_u64(p, cost->stall);
		n++;
	}
	ms_html_packed_end(p);
	ms_free(row);
	if (known) {
		ms_paths_free_tree(&tree);
		ms_paths_free_rows(&costs);
	}
}
