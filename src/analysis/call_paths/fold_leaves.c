/* analysis/call_paths/fold_leaves.c - paths that cost little, added to those of their callers. */
#include <string.h>

#include "analysis/call_paths/call_paths.h"
#include "base/map.h"
#include "base/mem.h"

struct leaf_folding {
	struct ms_paths_leaves *leaves;
	const struct ms_run *run;
	struct ms_map number;  /* (path, code): of its leaf */
	uint32_t *first;       /* by path: the leaf that was added last */
	MS_VEC(uint32_t) next; /* by leaf: another one of its path; MS_NONE: none */
};

static void link_leaf(struct leaf_folding *f, uint32_t leaf)
{
	uint32_t path = f->leaves->at.at[leaf].path;

	*ms_vec_add(&f->next) = f->first[path];
	f->first[path] = leaf;
}

static struct leaf_folding make_folding(struct ms_paths_leaves *leaves, const struct ms_run *run)
{
	struct leaf_folding f = { .leaves = leaves, .run = run, .number = MS_MAP_INIT };

	f.first = ms_alloc((run->paths.n + 1) * sizeof(*f.first));
	for (size_t i = 0; i < run->paths.n; i++)
		f.first[i] = MS_NONE;
	for (uint32_t i = 0; i < leaves->at.n; i++) {
		*ms_map_at(&f.number, leaves->at.at[i].path, leaves->at.at[i].code) = i;
		link_leaf(&f, i);
	}
	return f;
}

static uint32_t leaf_at(struct leaf_folding *f, uint32_t path, uint32_t code)
{
	uint32_t *number = ms_map_at(&f->number, path, code);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)f->leaves->at.n;
		*ms_vec_add(&f->leaves->at) = (struct ms_paths_leaf){
			.path = path,
			.code = code,
			.misses = ms_arena_take(&f->leaves->arena,
						(f->run->levels.n + 1) * sizeof(uint64_t)),
		};
		link_leaf(f, *number);
	}
	return *number;
}

static void fold_leaf(struct leaf_folding *f, uint32_t from)
{
	const struct ms_run_path *path = &f->run->paths.at[f->leaves->at.at[from].path];
	uint32_t to = leaf_at(f, path->parent, f->run->lines.at[path->line].code);
	struct ms_paths_leaf *small = &f->leaves->at.at[from], *caller = &f->leaves->at.at[to];

	caller->has_calls = true;
	caller->stall += small->stall;
	small->stall = 0;
	for (size_t l = 0; l < f->run->levels.n; l++) {
		caller->misses[l] += small->misses[l];
		small->misses[l] = 0;
	}
	small->code = MS_NONE;
}

static void remove_folded(struct ms_paths_leaves *leaves)
{
	size_t n = 0;

	for (size_t i = 0; i < leaves->at.n; i++)
		if (leaves->at.at[i].code != MS_NONE)
			leaves->at.at[n++] = leaves->at.at[i];
	leaves->at.n = n;
	ms_paths_sort_leaves(leaves);
}

void ms_paths_fold_leaves(struct ms_paths_leaves *leaves, const struct ms_run *run, uint64_t least)
{
	struct leaf_folding f = make_folding(leaves, run);

	/* Callers have lower numbers: what is folded into them is there before their turn. */
	for (size_t path = run->paths.n; path-- > 0;) {
		if (run->paths.at[path].line == MS_NONE)
			continue;
		for (uint32_t i = f.first[path]; i != MS_NONE; i = f.next.at[i])
			if (leaves->at.at[i].stall < least)
				fold_leaf(&f, i);
	}
	remove_folded(leaves);
	ms_map_free(&f.number);
	ms_free(f.first);
	ms_vec_free(&f.next);
}
