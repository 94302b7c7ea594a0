/*
 * advise/padding.c - data that loses its lines although the cache has room: too many of its lines
 * have the same sets. Strides that are multiples of a high power of two do that. One line more in
 * each row spreads them over all sets.
 *
 * Evidence: replacement misses that a fully associative cache of the same size would have hit.
 * Loops that walk across rows get the advice to exchange them, which gains more.
 */
#include "advise/advise_priv.h"

/* Of the first-level misses of a bin that are certainly conflicts. */
#define LEAST_CONFLICTS 0.4

bool ms_advise_has_conflicts(const struct ms_evidence_bin *bin)
{
	return bin->conflicts >= LEAST_CONFLICTS;
}

/* Lines at this distance have the same set of the first level. */
static uint64_t set_period(const struct ms_advise_search *search)
{
	const struct ms_run_level *first = &search->run->levels.at[0];

	return first->size / first->ways;
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin)
{
	const struct ms_run_level *first = &search->run->levels.at[0];
	const char *name = search->run->data.at[bin->data].name;
	double elements = first->line / (bin->bytes / bin->references);

	ms_advise_show(
		search, f,
		"%s of its %s misses are conflicts: a fully associative cache of the same size "
		"would have hit",
		ms_advise_percent(search->arena, bin->conflicts), first->name);
	ms_advise_show(search, f, "%s of the time is waiting for %s",
		       ms_advise_percent(search->arena, bin->stall / search->time), name);
	f->remedy = ms_arena_printf(
		search->arena,
		"Pad each row of %s (or place arrays that are used together) by %u bytes, so that "
		"its "
		"pitch is not a multiple of a high power of two: addresses that are %s apart share "
		"one of the %u ways of a set.",
		name, first->line, ms_advise_size(search->arena, (double)set_period(search)),
		first->ways);
	f->snippet = ms_arena_printf(search->arena, "T %s[ROWS][COLUMNS + %.0f];\n",
				     ms_advise_variable(search, bin->data),
				     elements >= 1 ? elements : 1);
	f->falsifier = "with padding, memspy report still shows as many conflicts";
}

void ms_advise_find_padding(struct ms_advise_search *search)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];

		if (!ms_advise_has_conflicts(bin) || !ms_advise_is_users(search->run, bin->data) ||
		    ms_advise_is_column_walk(search, bin))
			continue;
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ MS_ADVISE_PADDING, bin->data, bin->code,
							   bin->line, bin->conflicts * bin->latency,
							   MS_ADVISE_ERROR });
		if (f != NULL)
			describe(search, f, bin);
	}
}
