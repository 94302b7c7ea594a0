/* analysis/confidence_intervals/entry_sums.c - adds up the cells of an entry, part by part. */
#include "analysis/confidence_intervals/entry_sums.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

void ms_intervals_sums_open(const struct ms_run *run, struct ms_intervals_sums *s)
{
	size_t n = run->levels.n + 1;

	*s = (struct ms_intervals_sums){
		.misses = ms_alloc(n * sizeof(*s->misses)),
		.extreme = ms_alloc(n * sizeof(*s->extreme)),
		.unknown = ms_alloc(n * sizeof(*s->unknown)),
		.stale = ms_alloc(n * sizeof(*s->stale)),
		.why = ms_alloc(n * sizeof(*s->why)),
		.answered = ms_alloc(n * sizeof(*s->answered)),
		.figures.levels = ms_alloc(n * sizeof(*s->figures.levels)),
	};
}

void ms_intervals_sums_close(struct ms_intervals_sums *s)
{
	ms_free(s->misses);
	ms_free(s->extreme);
	ms_free(s->unknown);
	ms_free(s->stale);
	ms_free(s->why);
	ms_free(s->answered);
	ms_free(s->figures.levels);
}

void ms_intervals_sums_clear(const struct ms_intervals_maker *m, struct ms_intervals_sums *s)
{
	memset(s->references, 0, sizeof(s->references));
	memset(s->apart, 0, sizeof(s->apart));
	memset(&s->stall, 0, sizeof(s->stall));
	memset(s->misses, 0, m->run->levels.n * sizeof(*s->misses));
	memset(s->extreme, 0, m->run->levels.n * sizeof(*s->extreme));
	memset(s->unknown, 0, m->run->levels.n * sizeof(*s->unknown));
	memset(s->stale, 0, m->run->levels.n * sizeof(*s->stale));
	memset(s->why, 0, m->run->levels.n * sizeof(*s->why));
	memset(s->answered, 0, m->run->levels.n * sizeof(*s->answered));
	memset(s->figures.levels, 0, m->run->levels.n * sizeof(*s->figures.levels));
	s->figures = (struct ms_summary_counts){ .levels = s->figures.levels };
}

static double most_of(const struct ms_run_sampled_miss *row)
{
	return (double)(row->known + row->unknown_hits + row->unknown_misses);
}

static void add_why(const struct ms_intervals_maker *m, struct ms_intervals_causes *w,
		    const struct ms_run_sampled_miss *row)
{
	double cell = m->cells[row->cell];
	double unseen = cell * (double)(row->unseen_known + row->unseen_unknown);
	double again = cell * ((double)row->known - (double)row->unseen_known - (double)row->lost);

	m->unseen[row->level][row->part] += unseen;
	w->seen += (double)(row->unseen_known + row->unseen_unknown);
	w->replaced.low[row->part] += again > 0 ? again : 0;
	w->replaced.high[row->part] += cell * (most_of(row) - (double)row->surely_lost);
	if (m->run->processors == 1)
		return;
	w->taken.low[row->part] += cell * (double)row->surely_lost;
	w->taken.high[row->part] +=
		cell * (double)(row->lost + row->unknown_hits + row->unknown_misses);
}

static void add_miss(const struct ms_intervals_maker *m, struct ms_intervals_sums *s,
		     const struct ms_run_sampled_miss *row)
{
	double low, high, cell = m->cells[row->cell];

	add_why(m, &s->why[row->level], row);

	s->extreme[row->level].low[row->part] += cell * (double)row->known;
	s->extreme[row->level].high[row->part] += cell * most_of(row);
	s->stale[row->level] +=
		ms_intervals_part_weight(m->run, row->part) * cell * (double)row->unknown_misses;
	if (m->modelled)
		return;
	ms_intervals_part_stall(m->whole, row, &low, &high);
	s->misses[row->level].low[row->part] += cell * (double)row->known;
	s->misses[row->level].high[row->part] += cell * most_of(row);
	s->stall.low[row->part] += cell * low;
	s->stall.high[row->part] += cell * high;
}

static void add_unknown(struct ms_intervals_unknown_refs *into,
			const struct ms_intervals_unknown_refs *u)
{
	into->seen_before += u->seen_before;
	into->seen_before_misses += u->seen_before_misses;
	into->between_only += u->between_only;
	into->between_only_misses += u->between_only_misses;
	into->first += u->first;
}

static void add_by_part(const struct ms_intervals_maker *m, struct ms_intervals_range *into,
			const double *by_part, double times)
{
	for (uint32_t p = 0; p < m->parts; p++) {
		into->low[p] += times * by_part[p];
		into->high[p] += times * by_part[p];
	}
}

/* Misses as the run estimates them. */
static void add_estimates(const struct ms_intervals_maker *m, struct ms_intervals_sums *s,
			  uint32_t cell)
{
	const struct ms_intervals_cell_rows rows = { m->run->sampled_misses.at + m->misses_at[cell],
						     m->misses_at[cell + 1] - m->misses_at[cell],
						     m->run->misses.at + m->answers_at[cell],
						     m->answers_at[cell + 1] -
							     m->answers_at[cell] };

	if (!m->modelled || rows.n == 0)
		return;
	for (uint32_t i = 0; i < m->run->levels.n; i++) {
		struct ms_intervals_cell_level level;

		ms_intervals_cell_level(m->run, &rows, m->cells[cell], i, &level);
		ms_intervals_strata_misses(m->strata, cell, level.misses);
		add_unknown(&s->unknown[i], &level.unknown);
		add_by_part(m, &s->misses[i], level.misses, 1);
		add_by_part(m, &s->stall, level.misses, ms_intervals_miss_cost(m->whole, i));
	}
}

static void add_references(const struct ms_intervals_maker *m, struct ms_intervals_sums *s,
			   uint32_t cell)
{
	double by_part[MS_RUN_PARTS_MOST] = { 0 };

	for (size_t i = m->references_at[cell]; i < m->references_at[cell + 1]; i++) {
		const struct ms_run_sampled_reference *r = &m->run->sampled_references.at[i];

		by_part[r->part] += m->cells[cell] * (double)r->references;
	}
	ms_intervals_strata_references(m->strata, cell, by_part);
	for (uint32_t p = 0; p < m->parts; p++)
		s->references[p] += by_part[p];
}

void ms_intervals_sums_add_cell(const struct ms_intervals_maker *m, struct ms_intervals_sums *s,
				uint32_t cell)
{
	struct ms_summary_rows at = { m->answers_at[cell], m->samples_at[cell] };
	struct ms_summary_cell_counts counts =
		ms_summary_cell_counts(m->run, &m->whole->cost, cell, &at);

	ms_summary_add_cell(&s->figures, &counts);
	if (m->by_sets != NULL)
		ms_intervals_by_sets_add(m->by_sets, cell, s->references, s->apart);
	else
		add_references(m, s, cell);
	add_estimates(m, s, cell);
	for (size_t i = m->misses_at[cell]; i < m->misses_at[cell + 1]; i++)
		add_miss(m, s, &m->run->sampled_misses.at[i]);
	for (size_t i = m->answers_at[cell]; i < m->answers_at[cell + 1]; i++) {
		const struct ms_run_miss *row = &m->run->misses.at[i];
		struct ms_intervals_answered *a = &s->answered[row->level];

		a->misses += (double)ms_summary_miss_count(row);
		a->peer += (double)row->peer;
		a->remote += (double)row->remote;
	}
}
