/* analysis/evictions/eviction_matrix.c - evictions as a table: Tables 13 to 18 of the dissertation.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/evictions/evictions.h"
#include "analysis/summary/rounded_shares.h"
#include "base/mem.h"
#include "base/num.h"

/* One data that may become a row or a column. */
struct matrix_candidate {
	uint32_t data;
	uint64_t evicted;
	uint64_t evicts;
};

struct eviction_matrix_builder {
	const struct ms_evictions *evictions;
	uint32_t level;
	struct ms_evictions_limits limits;
	struct matrix_candidate *at; /* all data of the run: what is in the way the most first */
	size_t n;
};

/* Whether a row of the run belongs into the matrix. */
static bool counts(const struct eviction_matrix_builder *b, const struct ms_run_eviction *row)
{
	const struct ms_evictions *e = b->evictions;
	const struct ms_run *run = e->whole.run;
	uint32_t line = run->sites.at[run->cells.at[row->cell].site].line;

	return row->level == b->level && (e->of == NULL || e->of[row->victim]) &&
	       (e->at == NULL || e->at[run->lines.at[line].code]);
}

/* Rows and columns in one order, so that what data does to itself stands in the diagonal. */
static int compare(const void *a, const void *b, void *of)
{
	const struct matrix_candidate *x = a, *y = b;
	const struct ms_run *run = of;
	int order = ms_cmp_u64(y->evicted + y->evicts, x->evicted + x->evicts);

	return order != 0 ? order : strcmp(run->data.at[x->data].name, run->data.at[y->data].name);
}

static uint64_t find_candidates(struct eviction_matrix_builder *b)
{
	const struct ms_run *run = b->evictions->whole.run;
	uint64_t total = 0;

	b->n = run->data.n;
	b->at = ms_alloc((b->n + 1) * sizeof(*b->at));
	for (uint32_t i = 0; i < b->n; i++)
		b->at[i].data = i;
	for (size_t i = 0; i < run->evictions.n; i++) {
		const struct ms_run_eviction *row = &run->evictions.at[i];

		if (!counts(b, row))
			continue;
		b->at[row->victim].evicted += row->count;
		b->at[run->cells.at[row->cell].data].evicts += row->count;
		total += row->count;
	}
	if (b->n > 1)
		qsort_r(b->at, b->n, sizeof(*b->at), compare, (void *)(uintptr_t)run);
	return total;
}

/* The first that are within the limits, then MS_NONE for the others where there are any. */
static uint32_t *pick(const struct eviction_matrix_builder *b, uint64_t total, bool victims,
		      size_t *n, size_t *others)
{
	const bool *only = victims ? NULL : b->evictions->by;
	size_t most = victims ? b->limits.columns : b->limits.rows, used = 0, all = 0;
	uint32_t *picked = ms_alloc((b->n + 1) * sizeof(*picked));

	for (size_t i = 0; i < b->n; i++) {
		uint64_t count = victims ? b->at[i].evicted : b->at[i].evicts;
		bool wanted = only == NULL || only[b->at[i].data];

		all += count > 0;
		if (count > 0 && wanted && used < most &&
		    ms_summary_share(count, total) >= b->limits.threshold)
			picked[used++] = b->at[i].data;
	}
	*others = all - used;
	*n = used;
	if (*others > 0)
		picked[(*n)++] = MS_NONE;
	return picked;
}

/* The row or column of each data of the run; the last one is for data that was not picked. */
static size_t *places(const uint32_t *picked, size_t n, size_t all)
{
	size_t *place = ms_alloc((all + 1) * sizeof(*place));

	for (size_t i = 0; i < all; i++)
		place[i] = n > 0 ? n - 1 : 0;
	for (size_t i = 0; i < n; i++)
		if (picked[i] != MS_NONE)
			place[picked[i]] = i;
	return place;
}

static void add_up(const struct eviction_matrix_builder *b, struct ms_evictions_matrix *m)
{
	const struct ms_run *run = b->evictions->whole.run;
	size_t *row_of = places(m->evictors, m->rows, run->data.n);
	size_t *column_of = places(m->victims, m->columns, run->data.n);

	for (size_t i = 0; i < run->evictions.n; i++) {
		const struct ms_run_eviction *row = &run->evictions.at[i];

		if (counts(b, row))
			m->counts[row_of[run->cells.at[row->cell].data] * m->columns +
				  column_of[row->victim]] += row->count;
	}
	ms_free(row_of);
	ms_free(column_of);
}

static void round_column(struct ms_evictions_matrix *m, size_t c, uint64_t *parts, uint32_t *tenths)
{
	for (size_t r = 0; r < m->rows; r++)
		parts[r] = m->counts[r * m->columns + c];
	ms_summary_share_list(parts, m->rows, MS_WHOLE, tenths);
	for (size_t r = 0; r < m->rows; r++)
		m->tenths[r * m->columns + c] = tenths[r];
}

static void round_shares(struct ms_evictions_matrix *m)
{
	size_t n = m->rows + m->columns + 1;
	uint64_t *parts = ms_alloc(n * sizeof(*parts)), *sums = ms_alloc(n * sizeof(*sums));
	uint32_t *tenths = ms_alloc(n * sizeof(*tenths));

	for (size_t c = 0; c < m->columns; c++)
		round_column(m, c, parts, tenths);
	for (size_t i = 0; i < m->rows * m->columns; i++) {
		sums[i / m->columns] += m->counts[i];
		sums[m->rows + i % m->columns] += m->counts[i];
	}
	ms_summary_share_list(sums, m->rows, MS_WHOLE, m->row_tenths);
	ms_summary_share_list(sums + m->rows, m->columns, MS_WHOLE, m->column_tenths);
	ms_free(parts);
	ms_free(sums);
	ms_free(tenths);
}

void ms_evictions_matrix_make(struct ms_evictions_matrix *m, const struct ms_evictions *evictions,
			      uint32_t level, struct ms_evictions_limits limits)
{
	struct eviction_matrix_builder b = { .evictions = evictions,
					     .level = level,
					     .limits = limits };

	*m = (struct ms_evictions_matrix){ .total = find_candidates(&b) };
	m->evictors = pick(&b, m->total, false, &m->rows, &m->evictors_in_other);
	m->victims = pick(&b, m->total, true, &m->columns, &m->victims_in_other);

	size_t n = m->rows * m->columns + 1;
	m->counts = ms_alloc(n * sizeof(*m->counts));
	m->tenths = ms_alloc(n * sizeof(*m->tenths));
	m->row_tenths = ms_alloc((m->rows + 1) * sizeof(*m->row_tenths));
	m->column_tenths = ms_alloc((m->columns + 1) * sizeof(*m->column_tenths));
	add_up(&b, m);
	round_shares(m);
	ms_free(b.at);
}

void ms_evictions_matrix_free(struct ms_evictions_matrix *m)
{
	ms_free(m->evictors);
	ms_free(m->victims);
	ms_free(m->counts);
	ms_free(m->tenths);
	ms_free(m->row_tenths);
	ms_free(m->column_tenths);
	memset(m, 0, sizeof(*m));
}
