/*
 * name/merge_sites.c - bounds the cells of a large run: instructions of the same line and kind
 * become one.
 *
 * A cell is a pair of an instruction and data. Reports, the page and all totals show functions and
 * lines, for which nothing changes; only the table of instructions becomes coarser. Instructions
 * that are inlined by different calls stay apart.
 *
 * The engine does it when it adds up (result.c), so that millions of cells need no room. It does
 * not for windows and several processors: this is for their runs.
 */
#include "base/map.h"
#include "name/name_priv.h"
#include "run/regroup.h"

/* By site: the first one of the same line, kind and inlined calls. Equal texts are one pointer. */
static uint32_t *first_alike(const struct ms_run *run)
{
	struct ms_map first = MS_MAP_INIT;
	uint32_t *to = ms_alloc((run->sites.n + 1) * sizeof(*to));

	for (uint32_t i = 0; i < run->sites.n; i++) {
		const struct ms_run_site *s = &run->sites.at[i];
		uint32_t *alike =
			ms_map_at(&first, (uint64_t)s->line << 32 | s->kind, (uintptr_t)s->inlined);

		if (*alike == MS_MAP_NONE)
			*alike = i;
		to[i] = *alike;
	}
	ms_map_free(&first);
	return to;
}

void ms_name_merge_sites(const struct ms_name_state *n)
{
	struct ms_run *run = n->run;

	if (run->cells.n <= n->from.most_cells)
		return;
	size_t sites = run->sites.n;
	uint32_t *alike = first_alike(run);

	ms_run_regroup(run, &(struct ms_run_groups){ .sites = alike });
	run->merged_sites += sites - run->sites.n;
	ms_free(alike);
}
