/* analysis/call_paths/callers.c - the callers of functions, as a tree. */
#include <stdlib.h>
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "base/map.h"

/* A node before the tree is put in order. Node 0 is what the callers lead to. */
struct node {
	struct ms_paths_caller caller;
	uint32_t parent;
};

struct caller_tree {
	struct ms_paths_callers *callers;
	struct ms_map number; /* (parent, line or kind) */
	MS_VEC(struct node) at;
};

static uint64_t *new_misses(struct caller_tree *t)
{
	return ms_arena_take(&t->callers->arena,
			     (t->callers->rows->run->levels.n + 1) * sizeof(uint64_t));
}

static uint32_t node_at(struct caller_tree *t, uint32_t parent, uint32_t line, uint32_t kind)
{
	uint32_t *number =
		ms_map_at(&t->number, parent, line != MS_NONE ? line : UINT64_C(1) << 32 | kind);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)t->at.n;
		uint32_t depth = parent == 0 ? 0 : t->at.at[parent].caller.depth + 1;
		*ms_vec_add(&t->at) =
			(struct node){ { depth, line, kind, 0, new_misses(t) }, parent };
	}
	return *number;
}

static void add_cost(const struct caller_tree *t, uint32_t node, const struct ms_paths_row *row)
{
	struct ms_paths_caller *caller = &t->at.at[node].caller;

	caller->stall += row->stall;
	for (size_t l = 0; l < t->callers->rows->run->levels.n; l++)
		caller->misses[l] += row->misses[l];
}

/* Adds the row to all callers from this path on. */
static void add_callers(struct caller_tree *t, uint32_t node, uint32_t path,
			const struct ms_paths_row *row)
{
	const struct ms_run *run = t->callers->rows->run;

	add_cost(t, node, row);
	for (; run->paths.at[path].line != MS_NONE; path = run->paths.at[path].parent) {
		node = node_at(t, node, run->paths.at[path].line, MS_PATH_CALL);
		add_cost(t, node, row);
	}
	if (run->paths.at[path].kind == MS_PATH_OTHER)
		add_cost(t, node_at(t, node, MS_NONE, MS_PATH_OTHER), row);
}

/* The path by which the innermost of the chosen functions was called, or MS_NONE. */
static uint32_t find_function(const struct ms_run *run, const struct ms_paths_row *row,
			      const bool *code, bool *is_self)
{
	*is_self = code[run->lines.at[row->line].code];
	if (*is_self)
		return row->path;
	for (uint32_t path = row->path; run->paths.at[path].line != MS_NONE;
	     path = run->paths.at[path].parent)
		if (code[run->lines.at[run->paths.at[path].line].code])
			return run->paths.at[path].parent;
	return MS_NONE;
}

static void add_row(struct caller_tree *t, const struct ms_paths_row *row, const bool *code,
		    const bool *data)
{
	const struct ms_run *run = t->callers->rows->run;
	bool is_self = false;

	if (data != NULL) {
		if (!data[row->data])
			return;
		add_cost(t, 0, row);
		add_callers(t, node_at(t, 0, row->line, MS_PATH_CALL), row->path, row);
		return;
	}
	uint32_t path = find_function(run, row, code, &is_self);
	if (path == MS_NONE)
		return;
	if (is_self)
		t->callers->self += row->stall;
	add_callers(t, 0, path, row);
}

/* --- order --- */

static int by_parent_and_stall(const void *a, const void *b)
{
	const struct node *x = *(const struct node *const *)a, *y = *(const struct node *const *)b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->caller.stall != y->caller.stall)
		return x->caller.stall > y->caller.stall ? -1 : 1;
	if (x->caller.misses[0] != y->caller.misses[0])
		return x->caller.misses[0] > y->caller.misses[0] ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Lists the children of a node, each followed by its own; first: by node, into sorted. */
static void list_children(struct caller_tree *t, struct node **sorted, const uint32_t *first,
			  uint32_t parent)
{
	for (uint32_t i = first[parent]; i < t->at.n && sorted[i]->parent == parent; i++) {
		if (sorted[i] == &t->at.at[0])
			continue;
		*ms_vec_add(&t->callers->at) = sorted[i]->caller;
		list_children(t, sorted, first, (uint32_t)(sorted[i] - t->at.at));
	}
}

static void list_in_order(struct caller_tree *t)
{
	struct node **sorted = ms_alloc((t->at.n + 1) * sizeof(*sorted));
	uint32_t *first = ms_alloc((t->at.n + 1) * sizeof(*first));

	for (size_t i = 0; i < t->at.n; i++) {
		sorted[i] = &t->at.at[i];
		first[i] = (uint32_t)t->at.n;
	}
	qsort(sorted, t->at.n, sizeof(struct node *), by_parent_and_stall);
	for (uint32_t i = (uint32_t)t->at.n; i-- > 0;)
		first[sorted[i]->parent] = i;
	list_children(t, sorted, first, 0);
	ms_free(sorted);
	ms_free(first);
}

void ms_paths_find_callers(struct ms_paths_callers *callers, const struct ms_paths_rows *rows,
			   const bool *code, const bool *data)
{
	struct caller_tree t = { .callers = callers };

	*callers = (struct ms_paths_callers){ .rows = rows };
	*ms_vec_add(&t.at) = (struct node){ { 0, MS_NONE, MS_PATH_ROOT, 0, new_misses(&t) }, 0 };
	for (size_t i = 0; i < rows->at.n; i++)
		add_row(&t, &rows->at.at[i], code, data);
	callers->stall = t.at.at[0].caller.stall;
	callers->misses = t.at.at[0].caller.misses;
	list_in_order(&t);
	ms_vec_free(&t.at);
	ms_map_free(&t.number);
}

void ms_paths_free_callers(struct ms_paths_callers *callers)
{
	ms_vec_free(&callers->at);
	ms_arena_free(&callers->arena);
}
