#include "analysis/summary/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/summary/inclusive_rows.h"
#include "analysis/summary/rounded_shares.h"
#include "base/mem.h"
#include "base/num.h"

static uint64_t weight(const struct ms_summary_matrix *m, const struct ms_summary_entry *entry)
{
	return ms_summary_rw_sum(m->by_references ? entry->counts.references : entry->counts.stall);
}

static size_t used_of(const struct ms_summary_entries *entries)
{
	size_t n = 0;

	for (size_t i = 0; i < entries->at.n; i++)
		n += entries->at.at[i].counts.used;
	return n;
}

/* Descending; equal ones as they stand in the summary. */
static int compare_references(const void *a, const void *b)
{
	const struct ms_summary_entry *x = *(const struct ms_summary_entry *const *)a;
	const struct ms_summary_entry *y = *(const struct ms_summary_entry *const *)b;
	int order = ms_cmp_u64(ms_summary_rw_sum(y->counts.references),
			       ms_summary_rw_sum(x->counts.references));

	return order != 0 ? order : (x > y) - (x < y);
}

/*
 * The first entries that are within the limits, then NULL for the rest where anything is left.
 * Entries are sorted by stall; where nothing stalls, references count.
 */
static const struct ms_summary_entry **pick(const struct ms_summary_matrix *m,
					    const struct ms_summary_entries *entries, size_t most,
					    double threshold, size_t *n, size_t *left)
{
	size_t all = used_of(entries), used = 0;
	const struct ms_summary_entry **picked = ms_alloc((entries->at.n + 1) * sizeof(*picked));

	for (size_t i = 0; i < entries->at.n; i++)
		picked[i] = &entries->at.at[i];
	if (m->by_references && entries->at.n > 0)
		qsort(picked, entries->at.n, sizeof(*picked), compare_references);
	for (size_t i = 0; i < entries->at.n && used < most && used < all; i++) {
		const struct ms_summary_entry *entry = picked[i];

		if (!entry->counts.used || ms_summary_share(weight(m, entry), m->total) < threshold)
			continue;
		picked[used++] = entry;
	}
	picked[used] = NULL;
	*left = all - used;
	*n = used + (*left > 0);
	return picked;
}

/* Adds code that costs much with all that it calls, after what costs much itself. */
static void pick_inclusive(struct ms_summary_matrix *m, const struct ms_summary_entries *entries,
			   struct ms_summary_matrix_limits limits)
{
	bool *chosen = ms_alloc((entries->at.n + 1) * sizeof(*chosen));
	size_t used = m->rows - (m->code_in_rest > 0);

	for (size_t i = 0; i < entries->at.n; i++) {
		m->has_inclusive |= entries->at.at[i].counts.inclusive > 0;
		chosen[i] = !entries->at.at[i].counts.used;
	}
	for (size_t r = 0; r < used; r++)
		chosen[m->code[r] - entries->at.at] = true;
	bool *added = ms_alloc((entries->at.n + 1) * sizeof(*added));
	memcpy(added, chosen, entries->at.n * sizeof(*added));
	m->code_in_rest -= ms_summary_choose_inclusive(
		entries, m->total, limits.inclusive_threshold, limits.inclusive_rows, added);
	for (size_t i = 0; i < entries->at.n; i++)
		if (added[i] && !chosen[i])
			m->code[used++] = &entries->at.at[i];
	m->code[used] = NULL;
	m->rows = used + (m->code_in_rest > 0);
	ms_free(added);
	ms_free(chosen);
}

/* The row (or column) of each code (or data); the last one is for those not picked. */
static size_t *places(const struct ms_summary_entry **picked, size_t n, size_t all, bool code)
{
	size_t *place = ms_alloc(all * sizeof(*place));

	for (size_t i = 0; i < all; i++)
		place[i] = n ? n - 1 : 0;
	for (size_t i = 0; i < n; i++)
		if (picked[i] != NULL)
			place[code ? picked[i]->code : picked[i]->data] = i;
	return place;
}

static uint64_t *add_up(struct ms_summary_matrix *m, const struct ms_summary *s)
{
	size_t *row = places(m->code, m->rows, s->run->codes.n, true);
	size_t *column = places(m->data, m->columns, s->run->data.n, false);
	uint64_t *parts = ms_alloc(m->rows * m->columns * sizeof(*parts));

	for (size_t i = 0; i < s->bins.at.n; i++) {
		const struct ms_summary_entry *bin = &s->bins.at.at[i];
		size_t at = row[bin->code] * m->columns + column[bin->data];

		if (!bin->counts.used)
			continue;
		parts[at] += weight(m, bin);
		m->any[at] = true;
	}
	ms_free(row);
	ms_free(column);
	return parts;
}

void ms_summary_matrix_make(struct ms_summary_matrix *m, const struct ms_summary *s,
			    struct ms_summary_matrix_limits limits)
{
	*m = (struct ms_summary_matrix){ .by_references =
						 ms_summary_rw_sum(s->total.counts.stall) == 0 };
	m->total = weight(m, &s->total);
	m->code = pick(m, &s->code, limits.rows, limits.threshold, &m->rows, &m->code_in_rest);
	pick_inclusive(m, &s->code, limits);
	m->data =
		pick(m, &s->data, limits.columns, limits.threshold, &m->columns, &m->data_in_rest);
	m->tenths = ms_alloc(m->rows * m->columns * sizeof(*m->tenths));
	m->any = ms_alloc(m->rows * m->columns * sizeof(*m->any));
	m->row_tenths = ms_alloc(m->rows * sizeof(*m->row_tenths));
	m->column_tenths = ms_alloc(m->columns * sizeof(*m->column_tenths));
	m->inclusive_tenths = ms_alloc(m->rows * sizeof(*m->inclusive_tenths));

	uint64_t *parts = add_up(m, s);
	ms_summary_share_table(parts, m->rows, m->columns, m->tenths);
	for (size_t i = 0; i < m->rows * m->columns; i++) {
		m->row_tenths[i / m->columns] += m->tenths[i];
		m->column_tenths[i % m->columns] += m->tenths[i];
	}
	for (size_t r = 0; r < m->rows; r++)
		m->inclusive_tenths[r] =
			m->code[r] == NULL
				? 0
				: ms_summary_share_tenths(m->code[r]->counts.inclusive, m->total);
	ms_free(parts);
}

void ms_summary_matrix_narrow(struct ms_summary_matrix *m)
{
	bool has_rest = m->data_in_rest > 0;
	size_t last = m->columns - 1 - has_rest; /* the one that leaves */
	size_t columns = last + 1;

	for (size_t r = 0; r < m->rows; r++) {
		const uint32_t *tenths = &m->tenths[r * m->columns];
		const bool *any = &m->any[r * m->columns];
		uint32_t sum = tenths[last] + (has_rest ? tenths[last + 1] : 0);
		bool some = any[last] || (has_rest && any[last + 1]);

		memmove(&m->tenths[r * columns], tenths, last * sizeof(*tenths));
		memmove(&m->any[r * columns], any, last * sizeof(*any));
		m->tenths[r * columns + last] = sum;
		m->any[r * columns + last] = some;
	}
	if (has_rest)
		m->column_tenths[last] += m->column_tenths[last + 1];
	m->data[last] = NULL;
	m->data_in_rest++;
	m->columns = columns;
}

void ms_summary_matrix_free(struct ms_summary_matrix *m)
{
	ms_free(m->code);
	ms_free(m->data);
	ms_free(m->tenths);
	ms_free(m->any);
	ms_free(m->row_tenths);
	ms_free(m->column_tenths);
	ms_free(m->inclusive_tenths);
	memset(m, 0, sizeof(*m));
}
