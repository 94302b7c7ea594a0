/*
 * advise/padding.c - data that loses its lines although the cache has room: too many of its lines
 * have the same sets. Strides that are multiples of a high power of two do that. One line more in
 * each row spreads them over all sets.
 *
 * Evidence: replacement misses that a fully associative cache of the same size would have hit.
 * Loops that walk across rows get the advice to exchange them, which gains more.
 */
#include <stdlib.h>

#include "advise/advise_priv.h"
#include "analysis/cache_sets/cache_sets.h"
#include "analysis/line_use/access_kind.h"
#include "base/mem.h"

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

/* A flag for each of n, of which one is set; for free(). */
static bool *make_flags(size_t n, uint32_t set)
{
	bool *flags = ms_alloc((n + 1) * sizeof(*flags));

	flags[set] = true;
	return flags;
}

static void show_sets(struct ms_advise_search *search, struct ms_advise_finding *f,
		      const struct ms_evidence_bin *bin)
{
	bool *data = make_flags(search->run->data.n, bin->data);
	struct ms_cache_sets sets = ms_cache_sets_of(search->run, 0, data);
	struct ms_cache_sets_peak peak = ms_cache_sets_find_peak(&sets);

	if (peak.n > 0)
		ms_advise_show(search, f, "%s of its replacement misses are in %s of the sets",
			       ms_advise_percent(search->arena, peak.share),
			       ms_advise_percent(search->arena, (double)peak.n / sets.groups));
	ms_free(data);
}

static void show_stride(struct ms_advise_search *search, struct ms_advise_finding *f,
			const struct ms_evidence_bin *bin)
{
	bool *data = make_flags(search->run->data.n, bin->data);
	bool *code = make_flags(search->run->codes.n, bin->code);
	struct ms_line_use_access access = ms_line_use_find_access(search->run, code, data);

	if (access.kind == MS_LINE_USE_STRIDED)
		ms_advise_show(search, f, "its most frequent stride is %s (%s of references)",
			       ms_advise_size(search->arena, (double)llabs(access.stride)),
			       ms_advise_percent(search->arena, access.share));
	ms_free(code);
	ms_free(data);
}

/* The data whose references evict its lines. */
static void show_evictor(struct ms_advise_search *search, struct ms_advise_finding *f,
			 const struct ms_evidence_bin *bin)
{
	const struct ms_run *run = search->run;
	double *counts = ms_alloc((run->data.n + 1) * sizeof(*counts)), all = 0;
	uint32_t most = 0;

	for (size_t i = 0; i < run->replaced.n; i++) {
		const struct ms_run_replaced *row = &run->replaced.at[i];

		if (row->level != 0 || run->cells.at[row->cell].data != bin->data)
			continue;
		counts[row->evictor] += (double)row->count;
		all += (double)row->count;
		most = counts[row->evictor] > counts[most] ? row->evictor : most;
	}
	if (all > 0)
		ms_advise_show(search, f, "%s of these lines are evicted by references to %s",
			       ms_advise_percent(search->arena, counts[most] / all),
			       most == bin->data ? "the same data" : run->data.at[most].name);
	ms_free(counts);
}

/* Lines of an array are its first index in Fortran. */
static const char *padded_array(struct ms_advise_search *search, const struct ms_evidence_bin *bin,
				double elements)
{
	const char *type = ms_advise_element_type(search, bin->data, bin->line);
	const char *variable = ms_advise_variable(search, bin->data);

	if (ms_advise_find_language(search->run, bin->line) == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena, "%s :: %s(ROWS + %.0f, COLUMNS)\n", type,
				       variable, elements);
	return ms_arena_printf(search->arena, "%s %s[ROWS][COLUMNS + %.0f];\n", type, variable,
			       elements);
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin)
{
	const struct ms_run_level *first = &search->run->levels.at[0];
	const char *name = ms_advise_data_name(search, bin->data);
	double elements = first->line / (bin->bytes / bin->references);

	ms_advise_show(
		search, f,
		"%s of its %s misses are conflicts: a fully associative cache of the same size "
		"would have hit",
		ms_advise_percent(search->arena, bin->conflicts), first->name);
	ms_advise_show(search, f, "%s of the time is waiting for %s",
		       ms_advise_percent(search->arena, bin->stall / search->time), name);
	show_sets(search, f, bin);
	show_stride(search, f, bin);
	show_evictor(search, f, bin);
	f->remedy = ms_arena_printf(
		search->arena,
		"Pad each row of %s (or place arrays that are used together) by %u bytes, so that "
		"its "
		"pitch is not a multiple of a high power of two: addresses that are %s apart share "
		"a set, which has %u way%s.",
		name, first->line, ms_advise_size(search->arena, (double)set_period(search)),
		first->ways, first->ways == 1 ? "" : "s");
	f->snippet = padded_array(search, bin, elements >= 1 ? elements : 1);
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
							   MS_ADVISE_ERROR, false });
		if (f != NULL)
			describe(search, f, bin);
	}
}
