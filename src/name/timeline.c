/*
 * name/timeline.c - stores misses over time in the run, by function and data. The database has
 * the pairs of a slice that have a hundredth of its latency, and at most MS_RUN_SLICE_PAIRS_MOST;
 * views compute the rest from the sums.
 */
#include <stdlib.h>

#include "base/num.h"
#include "name/name_priv.h"

enum { LEAST_PART = 100 };

struct pair {
	uint32_t code;
	uint32_t data;
	uint64_t misses[MS_ENGINE_SLICE_LEVELS];
	uint64_t latency;
};

struct pair_list {
	MS_VEC(struct pair) at;
};

static int by_code_data(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = ms_cmp_u64(x->code, y->code);

	return order != 0 ? order : ms_cmp_u64(x->data, y->data);
}

static int by_latency(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	int order = ms_cmp_u64(y->latency, x->latency);

	return order != 0 ? order : by_code_data(a, b);
}

/* Cycles that a miss of the level adds. */
static uint64_t latency_of(const struct ms_name_state *n, uint32_t level)
{
	const struct ms_machine *m = n->from.machine;
	uint32_t own = m->levels.at[level].latency;
	uint32_t next =
		level + 1 < m->levels.n ? m->levels.at[level + 1].latency : m->memory_latency;

	return next > own ? next - own : 1;
}

static uint32_t recorded_levels(const struct ms_name_state *n)
{
	size_t levels = n->run->levels.n;

	return levels < MS_ENGINE_SLICE_LEVELS ? (uint32_t)levels : MS_ENGINE_SLICE_LEVELS;
}

/* The function of a site. Its line exists: all sites of the run have one. */
static uint32_t code_of(struct ms_name_state *n, uint32_t site)
{
	return n->run->lines.at[ms_name_line(n, ms_bins_site(n->from.binder, site)->pc)].code;
}

static void take_pairs(struct ms_name_state *n, const struct ms_engine_total_slice_cell *cells,
		       size_t count, struct pair_list *pairs)
{
	size_t kept = 0;

	pairs->at.n = 0;
	for (size_t i = 0; i < count; i++) {
		struct pair *pair = ms_vec_add(&pairs->at);

		*pair = (struct pair){ .code = code_of(n, cells[i].site),
				       .data = ms_name_data(n, cells[i].data) };
		for (unsigned l = 0; l < MS_ENGINE_SLICE_LEVELS; l++)
			pair->misses[l] = cells[i].misses[l];
	}
	if (pairs->at.n > 1)
		qsort(pairs->at.at, pairs->at.n, sizeof(*pairs->at.at), by_code_data);
	for (size_t i = 0; i < pairs->at.n; i++) {
		struct pair *pair = &pairs->at.at[i];

		if (kept == 0 || by_code_data(&pairs->at.at[kept - 1], pair) != 0) {
			pairs->at.at[kept++] = *pair;
			continue;
		}
		for (unsigned l = 0; l < MS_ENGINE_SLICE_LEVELS; l++)
			pairs->at.at[kept - 1].misses[l] += pair->misses[l];
	}
	pairs->at.n = kept;
}

static void keep_largest(const struct ms_name_state *n, struct pair_list *pairs)
{
	uint64_t all = 0;
	size_t kept = 0;

	for (size_t i = 0; i < pairs->at.n; i++) {
		struct pair *pair = &pairs->at.at[i];

		for (uint32_t l = 0; l < recorded_levels(n); l++)
			pair->latency += pair->misses[l] * latency_of(n, l);
		all += pair->latency;
	}
	if (pairs->at.n > 1)
		qsort(pairs->at.at, pairs->at.n, sizeof(*pairs->at.at), by_latency);
	while (kept < pairs->at.n && kept < MS_RUN_SLICE_PAIRS_MOST &&
	       pairs->at.at[kept].latency > all / LEAST_PART)
		kept++;
	pairs->at.n = kept;
	if (kept > 1)
		qsort(pairs->at.at, kept, sizeof(*pairs->at.at), by_code_data);
}

static void add_pairs(const struct ms_name_state *n, uint32_t slice, const struct pair_list *pairs)
{
	for (size_t i = 0; i < pairs->at.n; i++) {
		const struct pair *pair = &pairs->at.at[i];

		for (uint32_t l = 0; l < recorded_levels(n); l++)
			if (pair->misses[l] > 0)
				*ms_vec_add(&n->run->slice_misses) =
					(struct ms_run_slice_miss){ slice, pair->code, pair->data,
								    l, pair->misses[l] };
	}
}

/* Parts that the engine counts by set are as many slices each. */
static void add_set_parts(struct ms_run *run, const struct ms_engine_totals *t)
{
	const uint32_t slices = ms_run_set_part_slices(run);

	for (size_t i = 0; i < t->set_parts.n; i++) {
		const struct ms_engine_total_set_part *p = &t->set_parts.at[i];

		if ((uint64_t)p->part * slices < run->slices.n)
			*ms_vec_add(&run->set_slices) =
				(struct ms_run_set_slice){ p->part * slices, p->level, p->sets,
							   p->misses };
	}
}

struct thread_latency {
	uint32_t thread;
	uint64_t latency;
};

static int by_thread_latency(const void *a, const void *b)
{
	const struct thread_latency *x = a, *y = b;
	int order = ms_cmp_u64(y->latency, x->latency);

	return order != 0 ? order : ms_cmp_u64(x->thread, y->thread);
}

/* Whether a thread is one of those that wait the most, by thread. */
static bool *choose_threads(const struct ms_run *run, const struct ms_engine_totals *t)
{
	struct thread_latency *all = ms_alloc((run->threads.n + 1) * sizeof(*all));
	bool *chosen = ms_alloc((run->threads.n + 1) * sizeof(*chosen));

	for (uint32_t i = 0; i < run->threads.n; i++)
		all[i].thread = i;
	for (size_t i = 0; i < t->slice_threads.n; i++) {
		size_t thread = t->slice_threads.at[i].thread / MS_NAME_CLOCKS_COMPANIES;

		if (thread < run->threads.n)
			all[thread].latency += t->slice_threads.at[i].latency;
	}
	if (run->threads.n > 1)
		qsort(all, run->threads.n, sizeof(*all), by_thread_latency);
	for (size_t i = 0; i < run->threads.n && i < MS_RUN_SLICE_THREADS; i++)
		chosen[all[i].thread] = true;
	ms_free(all);
	return chosen;
}

/* The engine has two numbers for a thread, one after the other: alone, and with others. */
static void add_threads(struct ms_run *run, const struct ms_engine_totals *t)
{
	bool *chosen = choose_threads(run, t);

	for (size_t i = 0; i < t->slice_threads.n; i++) {
		const struct ms_engine_total_slice_thread *row = &t->slice_threads.at[i];
		uint32_t thread = row->thread / MS_NAME_CLOCKS_COMPANIES;
		size_t n = run->slice_threads.n;
		struct ms_run_slice_thread *last = n > 0 ? &run->slice_threads.at[n - 1] : NULL;

		if (thread >= run->threads.n || !chosen[thread])
			continue;
		if (last != NULL && last->slice == row->slice && last->thread == thread)
			last->latency += row->latency;
		else
			*ms_vec_add(&run->slice_threads) =
				(struct ms_run_slice_thread){ row->slice, thread, row->latency };
	}
	ms_free(chosen);
}

void ms_name_add_timeline(struct ms_name_state *n, const struct ms_engine_totals *t)
{
	struct pair_list pairs = { MS_VEC_INIT };
	size_t at = 0, end;

	for (uint32_t i = 0; i < t->slices.n; i++) {
		for (end = at; end < t->slice_cells.n && t->slice_cells.at[end].slice == i;)
			end++;
		*ms_vec_add(&n->run->slices) =
			(struct ms_run_slice){ t->slices.at[i].steps,
					       n->run->phases.n > 0 ? t->slices.at[i].phase
								    : MS_NONE };
		take_pairs(n, &t->slice_cells.at[at], end - at, &pairs);
		keep_largest(n, &pairs);
		add_pairs(n, i, &pairs);
		at = end;
	}
	for (size_t i = 0; i < t->slice_sums.n; i++) {
		const struct ms_engine_total_slice_sum *sum = &t->slice_sums.at[i];

		*ms_vec_add(&n->run->slice_sums) =
			(struct ms_run_slice_sum){ sum->slice, sum->processor, sum->level,
						   sum->misses };
	}
	add_threads(n->run, t);
	add_set_parts(n->run, t);
	ms_vec_free(&pairs.at);
}
