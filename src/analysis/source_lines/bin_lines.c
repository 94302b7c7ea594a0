#include "analysis/source_lines/bin_lines.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"

/* (code, data) -> index into the bins, or into those that are chosen. */
static struct ms_map number_bins(const struct ms_summary *s, const uint32_t *chosen, size_t n)
{
	struct ms_map bins = MS_MAP_INIT;

	for (size_t i = 0; i < n; i++) {
		const struct ms_summary_entry *bin = &s->bins.at.at[chosen != NULL ? chosen[i] : i];

		*ms_map_at(&bins, bin->code, bin->data) = (uint32_t)i;
	}
	return bins;
}

static void add_up(struct ms_lines_of_bins *places, const struct ms_summary *s, struct ms_map bins)
{
	const struct ms_run *run = s->run;
	struct ms_map seen = MS_MAP_INIT;
	struct ms_summary_rows rows = { 0, 0 };

	for (size_t i = 0; i < run->cells.n; i++) {
		struct ms_summary_cell_counts counts =
			ms_summary_cell_counts(run, &s->cost, i, &rows);
		uint32_t line = run->sites.at[counts.cell->site].line;
		uint32_t bin = ms_map_get(&bins, run->lines.at[line].code, counts.cell->data);

		if (bin == MS_MAP_NONE)
			continue;
		uint32_t *slot = ms_map_at(&seen, bin, line);
		if (*slot == MS_MAP_NONE) {
			struct ms_lines_of_bin *place = ms_vec_add(&places->at);

			*slot = (uint32_t)(places->at.n - 1);
			place->bin = bin;
			place->line = line;
			place->counts.levels = ms_arena_take(
				&places->arena, run->levels.n * sizeof(*place->counts.levels));
		}
		ms_summary_add_cell(&places->at.at[*slot].counts, &counts);
	}
	for (size_t i = 0; i < places->at.n && s->cost.measured; i++)
		ms_summary_split_measured(&places->at.at[i].counts, &s->total.counts,
					  run->levels.n);
	ms_map_free(&bins);
	ms_map_free(&seen);
}

static int compare_places(const void *a, const void *b)
{
	const struct ms_lines_of_bin *x = a, *y = b;
	int order = ms_cmp_u64(x->bin, y->bin);

	if (order == 0)
		order = ms_cmp_u64(ms_summary_rw_sum(y->counts.stall),
				   ms_summary_rw_sum(x->counts.stall));
	if (order == 0)
		order = ms_cmp_u64(ms_summary_rw_sum(y->counts.references),
				   ms_summary_rw_sum(x->counts.references));
	return order != 0 ? order : ms_cmp_u64(x->line, y->line);
}

static void limit(struct ms_lines_of_bins *places, size_t each, size_t most)
{
	size_t kept = 0, of_bin = 0, all = places->at.n;

	for (size_t i = 0; i < all && kept < most; i++) {
		of_bin = i > 0 && places->at.at[i].bin == places->at.at[i - 1].bin ? of_bin + 1 : 0;
		if (of_bin < each)
			places->at.at[kept++] = places->at.at[i];
	}
	places->at.n = kept;
	places->left_out = all - kept;
}

static void make(struct ms_lines_of_bins *places, const struct ms_summary *s, struct ms_map bins,
		 size_t each, size_t most)
{
	*places = (struct ms_lines_of_bins){ .arena = MS_ARENA_INIT };
	add_up(places, s, bins);
	if (places->at.n > 1)
		qsort(places->at.at, places->at.n, sizeof(struct ms_lines_of_bin), compare_places);
	limit(places, each, most);
}

void ms_lines_of_bins_make(struct ms_lines_of_bins *places, const struct ms_summary *s, size_t each,
			   size_t most)
{
	make(places, s, number_bins(s, NULL, s->bins.at.n), each, most);
}

void ms_lines_of_some_bins_make(struct ms_lines_of_bins *places, const struct ms_summary *s,
				const uint32_t *chosen, size_t n, size_t each, size_t most)
{
	make(places, s, number_bins(s, chosen, n), each, most);
}

void ms_lines_of_bins_free(struct ms_lines_of_bins *places)
{
	ms_vec_free(&places->at);
	ms_arena_free(&places->arena);
}
