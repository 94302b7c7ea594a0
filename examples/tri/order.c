/* order.c - who computes which row, and when. */
#include <stdlib.h>

#include "tri.h"

/* Rows by level: a row needs rows of lower levels only, so that those of one level are free. */
struct levels {
	int n;
	int *rows;
	int *first; /* the rows of level k are rows[first[k]] to rows[first[k + 1] - 1] */
};

static struct levels SortByLevel(const struct matrix *A)
{
	int *level = Take((size_t)A->n, sizeof(*level));
	struct levels levels = { .rows = Take((size_t)A->n, sizeof(*levels.rows)),
				 .first = Take((size_t)A->n + 2, sizeof(*levels.first)) };

	for (int i = 0; i < A->n; i++) {
		for (int j = A->row[i]; j < A->row[i + 1]; j++)
			if (level[A->col[j]] >= level[i])
				level[i] = level[A->col[j]] + 1;
		if (level[i] >= levels.n)
			levels.n = level[i] + 1;
		levels.first[level[i] + 1]++;
	}
	for (int k = 0; k < levels.n; k++)
		levels.first[k + 1] += levels.first[k];

	int *next = Take((size_t)levels.n, sizeof(*next));
	for (int i = 0; i < A->n; i++)
		levels.rows[levels.first[level[i]] + next[level[i]]++] = i;
	free(next);
	free(level);
	return levels;
}

static void FreeLevels(struct levels *levels)
{
	free(levels->rows);
	free(levels->first);
}

/* Each processor's rows, level by level. */
static struct order Gather(const struct levels *levels, const int *owner, int n, int processors)
{
	struct order order = { .processors = processors,
			       .rows = Take((size_t)n, sizeof(*order.rows)),
			       .first = Take((size_t)processors + 1, sizeof(*order.first)) };
	int used = 0;

	for (int p = 0; p < processors; p++) {
		for (int k = 0; k < n; k++)
			if (owner[levels->rows[k]] == p)
				order.rows[used++] = levels->rows[k];
		order.first[p + 1] = used;
	}
	return order;
}

struct order DealRows(const struct matrix *A, int processors)
{
	struct levels levels = SortByLevel(A);
	int *owner = Take((size_t)A->n, sizeof(*owner));

	for (int k = 0; k < A->n; k++)
		owner[levels.rows[k]] = k % processors;
	struct order order = Gather(&levels, owner, A->n, processors);
	free(owner);
	FreeLevels(&levels);
	return order;
}

/* --- by dependence ---------------------------------------------------------------------------- */

struct choice {
	int processors;
	int *owner; /* by row */
	int *needs; /* by processor: elements of the row at hand that are its own */
	int *load;  /* by processor: elements of all its rows */
};

/*
 * The processor that owns most of what the row needs. Without a limit one of them would soon own
 * everything: who is ahead of a fair share of the elements so far by more than this row is not
 * asked.
 */
static int Choose(struct choice *c, const struct matrix *A, int row, int placed)
{
	int elements = A->row[row + 1] - A->row[row];
	int limit = placed / c->processors + elements + 1;
	int best = -1;

	for (int p = 0; p < c->processors; p++)
		c->needs[p] = 0;
	for (int j = A->row[row]; j < A->row[row + 1]; j++)
		c->needs[c->owner[A->col[j]]]++;
	for (int p = 0; p < c->processors; p++) {
		if (c->load[p] > limit)
			continue;
		if (best < 0 || c->needs[p] > c->needs[best] ||
		    (c->needs[p] == c->needs[best] && c->load[p] < c->load[best]))
			best = p;
	}
	c->load[best] += elements + 1;
	return best;
}

struct order FollowDependences(const struct matrix *A, int processors)
{
	struct levels levels = SortByLevel(A);
	struct choice c = { .processors = processors,
			    .owner = Take((size_t)A->n, sizeof(*c.owner)),
			    .needs = Take((size_t)processors, sizeof(*c.needs)),
			    .load = Take((size_t)processors, sizeof(*c.load)) };
	int placed = 0;

	for (int k = 0; k < A->n; k++) {
		int row = levels.rows[k];

		c.owner[row] = Choose(&c, A, row, placed);
		placed += A->row[row + 1] - A->row[row] + 1;
	}
	struct order order = Gather(&levels, c.owner, A->n, processors);
	free(c.owner);
	free(c.needs);
	free(c.load);
	FreeLevels(&levels);
	return order;
}

/* --- new numbers ------------------------------------------------------------------------------ */

struct matrix Renumber(const struct matrix *A, const int *rows)
{
	int *number = Take((size_t)A->n, sizeof(*number));
	struct matrix R = { .n = A->n };
	int used = 0;

	R.nz = Take((size_t)A->row[A->n], sizeof(*R.nz));
	R.col = Take((size_t)A->row[A->n], sizeof(*R.col));
	R.row = Take((size_t)A->n + 1, sizeof(*R.row));
	for (int k = 0; k < A->n; k++)
		number[rows != NULL ? rows[k] : k] = k;
	for (int k = 0; k < A->n; k++) {
		int row = rows != NULL ? rows[k] : k;

		for (int j = A->row[row]; j < A->row[row + 1]; j++, used++) {
			R.nz[used] = A->nz[j];
			R.col[used] = number[A->col[j]];
		}
		R.row[k + 1] = used;
	}
	free(number);
	return R;
}
