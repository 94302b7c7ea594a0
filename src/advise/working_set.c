/*
 * advise/working_set.c - functions, or loops of one function, that work on the same data one after
 * the other, in parts that are larger than the second level: each fetches the part again.
 *
 * Evidence: most misses of a line of code are on cache lines that other code used before, with
 * more than the second level holds in between, and addresses are affine. Loops of one function
 * with more than the last level in between can be one loop (fusion.c).
 *
 * If all of them work on one part that fits, and then on the next, only the first one fetches it.
 * Which one is first is not known if they are called again and again: the largest of a cycle is
 * assumed.
 */
#include "advise/advise_priv.h"
#include "analysis/evidence/reuse.h"

/* Of the misses of the line of code that uses the data again. */
#define LEAST_SHARE  0.5
#define LEAST_AFFINE 0.8
/* The second level, beside other data and code. */
#define USED_PART 0.5

static const struct ms_run_level *second_level(const struct ms_run *run)
{
	return run->levels.n > 1 ? &run->levels.at[1] : &run->levels.at[0];
}

static bool is_affine(const struct ms_advise_search *search, uint32_t code, uint32_t data)
{
	for (size_t i = 0; i < search->bins.at.n; i++)
		if (search->bins.at.at[i].code == code && search->bins.at.at[i].data == data)
			return search->bins.at.at[i].dependences[MS_RUN_DEPENDENCE_AFFINE] >=
			       LEAST_AFFINE;
	return false;
}

static bool is_of_part(const struct ms_advise_search *search, const struct ms_evidence_reuse *reuse)
{
	const struct ms_run *run = search->run;
	const struct ms_run_level *last = &run->levels.at[run->levels.n - 1];
	bool one_function = run->lines.at[reuse->from_line].code == reuse->code;

	return reuse->share >= LEAST_SHARE && reuse->bytes >= (double)second_level(run)->size &&
	       (!one_function || (reuse->follows && reuse->bytes < (double)last->size)) &&
	       is_affine(search, reuse->code, reuse->data) && ms_advise_is_users(run, reuse->data);
}

/* Whether each line of code that uses the data again is also one that was used before. */
static bool is_cycle(const struct ms_advise_search *search, const struct ms_evidence_reuses *reuses,
		     uint32_t data)
{
	for (size_t i = 0; i < reuses->at.n; i++) {
		const struct ms_evidence_reuse *to = &reuses->at.at[i];
		bool found = false;

		if (to->data != data || !is_of_part(search, to))
			continue;
		for (size_t k = 0; k < reuses->at.n && !found; k++)
			found = reuses->at.at[k].data == data &&
				reuses->at.at[k].to_line == to->from_line &&
				is_of_part(search, &reuses->at.at[k]);
		if (!found)
			return false;
	}
	return true;
}

static double sum_saved(const struct ms_advise_search *search,
			const struct ms_evidence_reuses *reuses, uint32_t data)
{
	double saved = 0, most = 0;

	for (size_t i = 0; i < reuses->at.n; i++) {
		const struct ms_evidence_reuse *reuse = &reuses->at.at[i];

		if (reuse->data != data || !is_of_part(search, reuse))
			continue;
		saved += reuse->stall;
		most = reuse->stall > most ? reuse->stall : most;
	}
	return is_cycle(search, reuses, data) ? saved - most : saved;
}

/* The functions by their names, if they are two. */
static const char *loop_over_parts(struct ms_advise_search *search,
				   const struct ms_evidence_reuse *reuse, const char *part)
{
	const struct ms_run *run = search->run;
	uint32_t from = run->lines.at[reuse->from_line].code;
	bool two = from != reuse->code;
	const char *one_name = two ? ms_advise_function(search, from) : "one";
	const char *two_name = two ? ms_advise_function(search, reuse->code) : "two";
	const char *variable = ms_advise_variable(search, reuse->data);

	if (ms_advise_find_language(run, reuse->to_line) == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena,
				       "do first = 1, n, part ! %s each\n"
				       "   call %s(%s(first:min(first + part - 1, n)))\n"
				       "   call %s(%s(first:min(first + part - 1, n)))\n"
				       "end do\n",
				       part, one_name, variable, two_name, variable);
	return ms_arena_printf(
		search->arena,
		"for (first = 0; first < n; first += PART) { /* PART * sizeof(%s) <= %s */\n"
		"        %s(&%s[first], PART);\n"
		"        %s(&%s[first], PART);\n"
		"}\n",
		ms_advise_element_type(search, reuse->data, reuse->to_line), part, one_name,
		variable, two_name, variable);
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_reuse *reuse)
{
	const struct ms_run *run = search->run;
	const struct ms_run_level *second = second_level(run);
	const char *name = ms_advise_data_name(search, reuse->data);
	const char *from = ms_advise_place_name(search, run->lines.at[reuse->from_line].code,
						reuse->from_line);
	const char *to = ms_advise_place_name(search, reuse->code, reuse->to_line);
	const char *part = ms_advise_size(search->arena, USED_PART * (double)second->size);

	ms_advise_show(search, f,
		       "%s of the first-level misses of %s are on lines that %s used before",
		       ms_advise_percent(search->arena, reuse->share), to, from);
	ms_advise_show(search, f, "about %s of other lines are used in between; %s has %s",
		       ms_advise_size(search->arena, reuse->bytes), second->name,
		       ms_advise_size(search->arena, (double)second->size));
	f->remedy = ms_arena_printf(
		search->arena,
		"Let %s and %s, and what is between them, work on parts of %s of at most %s, one "
		"part after the other: what the first one fetched is then still in %s.",
		from, to, name, part, second->name);
	f->snippet = loop_over_parts(search, reuse, part);
	f->falsifier = "the second one needs results of the first one from all parts";
}

void ms_advise_find_working_set(struct ms_advise_search *search)
{
	struct ms_evidence_reuses reuses;

	ms_evidence_reuses_make(&reuses, search->summary);
	for (size_t i = 0; i < reuses.at.n; i++) {
		const struct ms_evidence_reuse *reuse = &reuses.at.at[i];
		bool is_first = is_of_part(search, reuse);

		for (size_t k = 0; k < i && is_first; k++)
			is_first = reuses.at.at[k].data != reuse->data ||
				   !is_of_part(search, &reuses.at.at[k]);
		if (!is_first)
			continue;
		struct ms_advise_finding *f = ms_advise_add(
			search, &(struct ms_advise_place){ MS_ADVISE_WORKING_SET, reuse->data,
							   reuse->code, reuse->to_line,
							   sum_saved(search, &reuses, reuse->data),
							   MS_ADVISE_ERROR, true });
		if (f != NULL)
			describe(search, f, reuse);
	}
	ms_evidence_reuses_free(&reuses);
}
