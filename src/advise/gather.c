/*
 * advise/gather.c - data that is accessed at addresses which other loads deliver: an array of
 * indices, of pointers, or of keys that are hashed.
 *
 * Accesses in the order of memory become a stream; this is the gain that is predicted. Where the
 * order is given, software prefetching gains less.
 */
#include "advise/advise_priv.h"
#include "base/mem.h"

/* Of the misses of a bin. */
#define LEAST_GATHERED 0.5
/* Sorting, or prefetching, costs a part of what it saves. */
#define SAVED 0.85

/* Data that the same code chases: gathered data hangs on its chain, and advice on that comes
 * first. Of each code, the most stall of such data. */
static double *find_chains(const struct ms_advise_search *search)
{
	double *stall = ms_alloc((search->run->codes.n + 1) * sizeof(*stall));

	for (size_t i = 0; i < search->run->codes.n; i++)
		stall[i] = -1;
	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];

		if (bin->dependences[MS_RUN_DEPENDENCE_CHAINED] >= LEAST_GATHERED &&
		    bin->stall > stall[bin->code])
			stall[bin->code] = bin->stall;
	}
	return stall;
}

/* Fortran has no prefetch; there, the order is all that can be changed. */
static const char *prefetched_element(struct ms_advise_search *search,
				      const struct ms_evidence_bin *bin, const char *variable)
{
	if (ms_advise_find_language(search->run, bin->line) == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena,
				       "! once: sort index(:); then %s(index(i)) is in order\n",
				       variable);
	if (search->run->data.at[bin->data].objects > 1)
		return "__builtin_prefetch(pointer[i + 16]); /* before the use of "
		       "pointer[i]->... */\n";
	return ms_arena_printf(search->arena,
			       "__builtin_prefetch(&%s[index[i + 16]]); /* before the use of "
			       "%s[index[i]] */\n",
			       variable, variable);
}

static void describe_order(struct ms_advise_search *search, struct ms_advise_finding *f,
			   const struct ms_evidence_bin *bin)
{
	const char *name = ms_advise_data_name(search, bin->data);
	const char *variable = ms_advise_variable(search, bin->data);

	f->remedy = ms_arena_printf(
		search->arena,
		"Visit %s in the order of memory: sort the indices or pointers that %s uses, or "
		"renumber the elements of %s in the order of their use. If the order is given, "
		"prefetch the element that is needed some iterations later; that gains less.",
		name, ms_advise_place_name(search, bin->code, bin->line), name);
	f->snippet = prefetched_element(search, bin, variable);
	f->falsifier = "the indices are sorted already, or a result must be known before the next "
		       "index is";
}

static void describe_pointers(struct ms_advise_search *search, struct ms_advise_finding *f,
			      const struct ms_evidence_bin *bin)
{
	const char *name = ms_advise_data_name(search, bin->data);

	if (bin->whole_latency > 0)
		ms_advise_show(
			search, f,
			"prefetching hides %s of their latency: the order is that of memory",
			ms_advise_percent(search->arena, bin->prefetched / bin->whole_latency));
	f->remedy = ms_arena_printf(
		search->arena,
		"Make %s one array of elements, without the array of pointers (or indices) to them "
		"that %s loads first: the order is that of memory already, but the pointers take "
		"cache lines and time of their own.",
		name, ms_advise_place_name(search, bin->code, bin->line));
	f->snippet = ms_arena_printf(search->arena,
				     "%s %s[N]; /* the elements, not pointers to them */\n",
				     ms_advise_element_type(search, bin->data, bin->line),
				     ms_advise_variable(search, bin->data));
	f->falsifier = "elements have different sizes, or move while they are in use";
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *bin)
{
	const char *name = ms_advise_data_name(search, bin->data);

	ms_advise_show(search, f, "%s of the time is %s of %s",
		       ms_advise_percent(search->arena, (bin->latency + bin->walks) / search->time),
		       search->summary->cost.exposed ? "exposed latency and page walks" : "latency",
		       name);
	ms_advise_show(search, f, "%s of its misses have an address that other loads deliver",
		       ms_advise_percent(search->arena, bin->dependences[MS_RUN_DEPENDENCE_LED]));
	if (ms_advise_is_in_order(search, bin))
		describe_pointers(search, f, bin);
	else
		describe_order(search, f, bin);
}

void ms_advise_find_gather(struct ms_advise_search *search)
{
	double *chains = find_chains(search);

	for (size_t i = 0; i < search->bins.at.n; i++) {
		const struct ms_evidence_bin *bin = &search->bins.at.at[i];
		double waited = bin->latency + bin->walks;

		if (bin->dependences[MS_RUN_DEPENDENCE_LED] < LEAST_GATHERED ||
		    !ms_advise_is_users(search->run, bin->data) || chains[bin->code] >= bin->stall)
			continue;
		double remains = ms_evidence_streamed(&search->bins, bin, bin->bytes);
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ MS_ADVISE_GATHER, bin->data, bin->code,
							   bin->line, SAVED * (waited - remains),
							   MS_ADVISE_ERROR, true });
		if (f != NULL)
			describe(search, f, bin);
	}
	ms_free(chains);
}
