/*
 * advise/fusion.c - loops of a function that go over the same large data one after the other: each
 * fetches it from memory again.
 *
 * Evidence: most misses of a line of code are on cache lines that an earlier line of the same
 * function used before, with more than the last level holds in between, and addresses are affine.
 *
 * Such loops wait for transfers, or nearly so, and what they compute fits into the time that
 * another loop waits: if they are one loop, the second one's stall vanishes, and its compute time
 * as far as it is no longer than a transfer takes.
 */
#include "advise/advise_priv.h"
#include "analysis/evidence/reuse.h"

/* Of the misses of the second loop. */
#define LEAST_SHARE  0.5
#define LEAST_AFFINE 0.8
/* Cycles that the transfer of a line takes, of one core. */
#define LINE_CYCLES 16

static double find_affine(const struct ms_advise_search *search, uint32_t code, uint32_t data)
{
	for (size_t i = 0; i < search->bins.at.n; i++)
		if (search->bins.at.at[i].code == code && search->bins.at.at[i].data == data)
			return search->bins.at.at[i].dependences[MS_RUN_DEPENDENCE_AFFINE];
	return 0;
}

static bool can_fuse(const struct ms_advise_search *search, const struct ms_evidence_reuse *reuse)
{
	const struct ms_run_level *last = &search->run->levels.at[search->run->levels.n - 1];

	return reuse->follows && reuse->share >= LEAST_SHARE &&
	       reuse->bytes >= (double)last->size &&
	       find_affine(search, reuse->code, reuse->data) >= LEAST_AFFINE &&
	       ms_advise_is_users(search->run, reuse->data);
}

static double find_saved(const struct ms_evidence_reuse *reuse)
{
	return reuse->stall +
	       reuse->misses * (reuse->compute < LINE_CYCLES ? reuse->compute : LINE_CYCLES);
}

/* Of all pairs of loops in the function. */
static double sum_saved(const struct ms_advise_search *search,
			const struct ms_evidence_reuses *reuses, uint32_t code)
{
	double saved = 0;

	for (size_t i = 0; i < reuses->at.n; i++)
		if (reuses->at.at[i].code == code && can_fuse(search, &reuses->at.at[i]))
			saved += find_saved(&reuses->at.at[i]);
	return saved;
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_reuse *reuse)
{
	const struct ms_run *run = search->run;
	const char *name = ms_advise_data_name(search, reuse->data);

	ms_advise_show(search, f,
		       "%s of the first-level misses at line %u on %s are on lines that line %u "
		       "used before",
		       ms_advise_percent(search->arena, reuse->share),
		       run->lines.at[reuse->to_line].line, name,
		       run->lines.at[reuse->from_line].line);
	ms_advise_show(
		search, f, "about %s of other lines are used in between; %s has %s",
		ms_advise_size(search->arena, reuse->bytes), run->levels.at[run->levels.n - 1].name,
		ms_advise_size(search->arena, (double)run->levels.at[run->levels.n - 1].size));
	f->remedy = ms_arena_printf(
		search->arena,
		"Make one loop of those at lines %u and %u of %s, and of others there that go over "
		"%s: use each element in all of them while it is in the cache; or let all of them "
		"work on one part that fits into it after the other.",
		run->lines.at[reuse->from_line].line, run->lines.at[reuse->to_line].line,
		run->codes.at[reuse->code].name, name);
	f->snippet = ms_arena_printf(search->arena,
				     "for (i = 0; i < n; i++) {\n"
				     "        ... %s[i] ... /* first loop */\n"
				     "        ... %s[i] ... /* second loop */\n"
				     "}\n",
				     ms_advise_variable(search, reuse->data),
				     ms_advise_variable(search, reuse->data));
	f->falsifier = "the second loop needs results of later iterations of the first one";
}

void ms_advise_find_fusion(struct ms_advise_search *search)
{
	struct ms_evidence_reuses reuses;

	ms_evidence_reuses_make(&reuses, search->summary);
	for (size_t i = 0; i < reuses.at.n; i++) {
		const struct ms_evidence_reuse *reuse = &reuses.at.at[i];
		bool is_first = can_fuse(search, reuse);

		for (size_t k = 0; k < i && is_first; k++)
			is_first = reuses.at.at[k].code != reuse->code ||
				   !can_fuse(search, &reuses.at.at[k]);
		if (!is_first)
			continue;
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ MS_ADVISE_FUSION, reuse->data,
							   reuse->code, reuse->to_line,
							   sum_saved(search, &reuses, reuse->code),
							   MS_ADVISE_ERROR, true });
		if (f != NULL)
			describe(search, f, reuse);
	}
	ms_evidence_reuses_free(&reuses);
}
