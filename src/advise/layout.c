/*
 * advise/layout.c - records of which few bytes are used: most of each fetched line is not.
 *
 * Evidence: the bytes that all references of a bin accessed, in relation to the bytes of the lines
 * that they fetched. Bytes that are accessed twice count twice, so that the used part of a line is
 * at most this. Elements of a line or more: their cold members are better elsewhere. Smaller ones:
 * arrays of single members.
 */
#include <string.h>

#include "advise/advise_priv.h"

/* Of a fetched line. */
#define MOST_USED    0.5
#define LEAST_AFFINE 0.8
/* Misses for each reference: with more, elements are not smaller than a line. */
#define LARGE_ELEMENTS 0.85
/* Of what a split saves: cold members are used somewhere, and then cost one more miss. */
#define SPLIT_SAVED 0.8
/* What prefetching must hide of the latency, if elements are smaller than a line: else the order is
 * not that of memory, and a line is not used for its neighbours. */
#define LEAST_PREFETCHED 0.5

static double fetched_bytes(const struct ms_advise_search *search,
			    const struct ms_evidence_bin *bin)
{
	return bin->first_misses * search->run->levels.at[0].line;
}

static double used_share(const struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	double fetched = fetched_bytes(search, bin);

	return fetched > 0 ? bin->bytes / fetched : 1;
}

/* A structure, or a container of structures; not an array of scalars or pointers. */
static bool is_record(const struct ms_run_data *data)
{
	return data->type != NULL && !ms_advise_is_scalar(data->type) &&
	       strchr(data->type, '*') == NULL;
}

static bool wastes_lines(const struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	return bin->dependences[MS_RUN_DEPENDENCE_AFFINE] >= LEAST_AFFINE &&
	       !ms_advise_has_conflicts(bin) && used_share(search, bin) <= MOST_USED &&
	       is_record(&search->run->data.at[bin->data]) &&
	       ms_advise_is_users(search->run, bin->data);
}

static bool has_large_elements(const struct ms_evidence_bin *bin)
{
	return bin->first_misses >= LARGE_ELEMENTS * bin->references;
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin)
{
	const char *name = search->run->data.at[bin->data].name;
	const char *place = ms_advise_place_name(search, bin->code, bin->line);

	ms_advise_show(search, f, "%s of the time is waiting for %s",
		       ms_advise_percent(search->arena, bin->stall / search->time), name);
	ms_advise_show(search, f, "at most %s of each fetched line is used: %.1f of %u bytes",
		       ms_advise_percent(search->arena, used_share(search, bin)),
		       bin->bytes / bin->first_misses, search->run->levels.at[0].line);
	if (f->kind == MS_ADVISE_SPLIT) {
		f->remedy = ms_arena_printf(
			search->arena,
			"Keep the members of %s that %s uses together, and move the others into "
			"records of their own (a second array with the same index, or a pointer).",
			name, place);
		f->snippet = "struct hot { /* what the loop uses */ };\n"
			     "struct cold { /* the rest */ };\n"
			     "struct hot *hot; struct cold *cold; /* same index */\n";
		f->falsifier = "other code that costs as much uses the cold members, too";
		return;
	}
	f->remedy = ms_arena_printf(search->arena,
				    "Store each member of %s that %s uses as an array of its own "
				    "(structure of arrays): the loop then uses all of each line.",
				    name, place);
	f->snippet = ms_arena_printf(
		search->arena, "struct { float *x, *y, *mass; } %s; /* %s.x[i], not %s[i].x */\n",
		ms_advise_variable(search, bin->data), ms_advise_variable(search, bin->data),
		ms_advise_variable(search, bin->data));
	f->falsifier = "other code that costs as much uses all members of one element together";
}

static void find(struct ms_advise_search *search, enum ms_advise_kind kind)
{
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];

		if (!wastes_lines(search, bin) ||
		    has_large_elements(bin) != (kind == MS_ADVISE_SPLIT))
			continue;
		if (kind == MS_ADVISE_SOA &&
		    bin->prefetched < LEAST_PREFETCHED * bin->whole_latency)
			continue;
		double saved = bin->stall - ms_evidence_streamed(&search->bins, bin, bin->bytes);

		if (kind == MS_ADVISE_SPLIT)
			saved *= SPLIT_SAVED;
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ kind, bin->data, bin->code, bin->line,
							   saved, MS_ADVISE_ERROR });
		if (f != NULL)
			describe(search, f, bin);
	}
}

void ms_advise_find_split(struct ms_advise_search *search)
{
	find(search, MS_ADVISE_SPLIT);
}

void ms_advise_find_soa(struct ms_advise_search *search)
{
	find(search, MS_ADVISE_SOA);
}
