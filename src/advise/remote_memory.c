/*
 * advise/remote_memory.c - misses that the memory of another node answers. A page is on the node of
 * the processor that touches it first; if one thread initialises what others use, it is on the
 * wrong one.
 */
#include "advise/advise_priv.h"

static double remote_cycles(const struct ms_advise_search *search, const struct ms_summary_entry *e,
			    double *misses)
{
	size_t last = search->run->levels.n - 1;
	double near = (double)search->summary->cost.answer.at[last];
	double far = (double)search->summary->cost.remote;

	*misses = (double)e->counts.levels[last].remote;
	return far > near ? *misses * (far - near) : 0;
}

void ms_advise_find_remote_memory(struct ms_advise_search *search)
{
	const struct ms_run *run = search->run;

	if (run->nodes < 2 || run->placement != MS_RUN_FIRST_TOUCH)
		return;
	for (size_t i = 0; i < search->summary->data.at.n; i++) {
		const struct ms_summary_entry *e = &search->summary->data.at.at[i];
		double misses, saved = remote_cycles(search, e, &misses);

		if (saved <= 0 || !ms_advise_is_users(run, e->data))
			continue;
		struct ms_evidence_bin data = ms_evidence_of_data(&search->bins, e->data);
		struct ms_advise_finding *f = ms_advise_add(
			search,
			&(struct ms_advise_place){ MS_ADVISE_REMOTE_MEMORY, e->data, data.code,
						   data.line, saved, MS_ADVISE_ERROR, false });
		if (f == NULL)
			continue;
		ms_advise_show(search, f,
			       "%s of the %s misses of %s in the last level are answered by "
			       "the memory of another node",
			       ms_advise_percent(search->arena, misses / data.last_misses),
			       ms_advise_count(search->arena, data.last_misses), e->name);
		f->remedy = ms_arena_printf(
			search->arena,
			"Let the threads that use a part of %s also initialise it, with the same "
			"schedule: a page is placed on the node of its first use.",
			e->name);
		f->snippet =
			"#pragma omp parallel for schedule(static) /* as in the loop that uses "
			"it */\nfor (i = 0; i < n; i++)\n        a[i] = 0;\n";
		f->falsifier = "all threads use all parts of it: then interleave its pages "
			       "(numactl --interleave)";
	}
}
