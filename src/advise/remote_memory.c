/*
 * advise/remote_memory.c - misses that the memory of another node answers. A page is on the node of
 * the processor that touches it first; if one thread initialises what others use, it is on the
 * wrong one.
 *
 * Evidence: each line goes from the thread that initialises it to one other, as observed reuses
 * show. Lines that go to and fro between threads have no node that is right.
 */
#include "advise/advise_priv.h"
#include "analysis/line_use/line_use.h"

/* Uses of a line by another processor than the one before: from the initialisation to the loop, and
 * some at the borders of parts. */
#define MOST_TRANSFERS 2

static double remote_cycles(const struct ms_advise_search *search, const struct ms_summary_entry *e,
			    double *misses)
{
	size_t last = search->run->levels.n - 1;
	double near = (double)search->summary->cost.answer.at[last];
	double far = (double)search->summary->cost.remote;

	*misses = (double)e->counts.levels[last].remote;
	return far > near ? *misses * (far - near) : 0;
}

/* Whether each thread uses a part of its own. Without observed lines, that is assumed. */
static bool has_parts(const struct ms_advise_search *search, const struct ms_summary_entry *e)
{
	const struct ms_run *run = search->run;
	double lines = ms_evidence_touched_entry(run, e) / run->levels.at[0].line;
	double transfers = (double)ms_summary_rw_sum(e->counts.levels[0].misses) -
			   (double)e->counts.levels[0].causes[MS_CAUSE_FIRST];

	if (run->curves.n == 0)
		return true;
	for (size_t i = 0; i < run->reuses.n; i++)
		if (run->reuses.at[i].data == e->data)
			transfers -= run->reuses.at[i].count;
	return transfers <= MOST_TRANSFERS * lines;
}

/* The loop that initialises, in parallel. */
static const char *parallel_loop(struct ms_advise_search *search, const struct ms_evidence_bin *bin)
{
	const char *variable = ms_advise_variable(search, bin->data);
	const char *type = search->run->data.at[bin->data].type;
	enum ms_advise_language language = ms_advise_find_language(search->run, bin->line);
	const char *value = "0";

	if (language == MS_ADVISE_RUST)
		return NULL; /* no pragma, and no memory that nothing has written */
	if (language == MS_ADVISE_FORTRAN)
		return ms_arena_printf(search->arena,
				       "!$omp parallel do schedule(static) ! as in the loop that "
				       "uses it\n"
				       "do i = 1, n\n"
				       "   %s(i) = 0\n"
				       "end do\n",
				       variable);
	if (type != NULL && !ms_advise_is_scalar(type))
		value = ms_arena_printf(search->arena,
					language == MS_ADVISE_CXX ? "%s{}" : "(%s){ 0 }",
					ms_advise_element_type(search, bin->data, bin->line));
	return ms_arena_printf(
		search->arena,
		"#pragma omp parallel for schedule(static) /* as in the loop that uses "
		"it */\n"
		"for (i = 0; i < n; i++)\n"
		"        %s[i] = %s;\n",
		variable, value);
}

static void describe(struct ms_advise_search *search, struct ms_advise_finding *f,
		     const struct ms_evidence_bin *data, double misses)
{
	const char *name = ms_advise_data_name(search, data->data);

	ms_advise_show(search, f,
		       "%s of the %s misses of %s in the last level are answered by "
		       "the memory of another node",
		       ms_advise_percent(search->arena, misses / data->last_misses),
		       ms_advise_count(search->arena, data->last_misses), name);
	f->remedy = ms_arena_printf(
		search->arena,
		"Let the threads that use a part of %s also initialise it, with the same "
		"schedule: a page is placed on the node of its first use.",
		name);
	f->snippet = parallel_loop(search, data);
	f->falsifier = "all threads use all parts of it: then interleave its pages "
		       "(numactl --interleave)";
}

void ms_advise_find_remote_memory(struct ms_advise_search *search)
{
	const struct ms_run *run = search->run;

	if (run->nodes < 2 || run->placement != MS_RUN_FIRST_TOUCH)
		return;
	for (size_t i = 0; i < search->summary->data.at.n; i++) {
		const struct ms_summary_entry *e = &search->summary->data.at.at[i];
		double misses, saved = remote_cycles(search, e, &misses);

		if (saved <= 0 || !ms_advise_is_users(run, e->data) || !has_parts(search, e))
			continue;
		struct ms_evidence_bin data = ms_evidence_of_data(&search->bins, e->data);
		struct ms_advise_finding *f = ms_advise_add(
			search,
			&(struct ms_advise_place){ MS_ADVISE_REMOTE_MEMORY, e->data, data.code,
						   data.line, saved, MS_ADVISE_ERROR, false });
		if (f != NULL)
			describe(search, f, &data, misses);
	}
}
