/*
 * analysis/members/affinity.c - which members of an element are used during the same stays of a
 * line in the first level. Stays count by the stall of the miss that fetched the line.
 */
#include <stdlib.h>

#include "analysis/members/members_priv.h"
#include "base/mem.h"
#include "base/num.h"

/* Members with this share of common stays are one group. */
#define MOSTLY 0.5

/* --- stays --- */

static uint32_t find_row(const struct ms_members *members, uint32_t offset)
{
	for (uint32_t i = 0; i < members->rows.n; i++)
		if (members->rows.at[i].offset == offset && members->rows.at[i].name != NULL)
			return i;
	return MS_NONE;
}

/* Functions that copy memory are left out: what only they use has no partner. */
static bool is_used(const struct ms_members *members, uint32_t row)
{
	return row != MS_NONE && members->rows.at[row].reads + members->rows.at[row].writes > 0;
}

static int by_rows(const void *a, const void *b)
{
	const struct ms_members_pair *x = a, *y = b;

	return x->a != y->a ? ms_cmp_u64(x->a, y->a) : ms_cmp_u64(x->b, y->b);
}

/* What a line costs that the cell fetches. */
static double weigh_stay(const struct ms_summary *summary, uint32_t cell, bool by_stall)
{
	struct ms_members_cost cost = { 1, 0, 1 };

	if (by_stall)
		cost = ms_members_find_cost(summary, cell);
	return cost.first_misses > 0 ? cost.stall / cost.first_misses : 0;
}

/* Pairs of all cells, of which some have the same rows. */
static void list_pairs(struct ms_members *members, const struct ms_summary *summary, bool by_stall)
{
	const struct ms_run *run = members->run;
	uint32_t cell = MS_NONE;
	double weight = 0;

	for (size_t i = 0; i < run->member_pairs.n; i++) {
		const struct ms_run_member_pair *pair = &run->member_pairs.at[i];

		if (run->cells.at[pair->cell].data != members->data)
			continue;
		if (pair->cell != cell)
			weight = weigh_stay(summary, pair->cell, by_stall);
		cell = pair->cell;
		uint32_t a = find_row(members, pair->offset), b = find_row(members, pair->other);

		if (is_used(members, a) && is_used(members, b) && weight > 0)
			*ms_vec_add(&members->pairs) =
				(struct ms_members_pair){ a, b, pair->lines * weight, 0 };
	}
}

static void sum_pairs(struct ms_members *members)
{
	struct ms_members_pair *at = members->pairs.at;
	size_t n = 0;

	if (members->pairs.n == 0)
		return;
	qsort(at, members->pairs.n, sizeof(*at), by_rows);
	for (size_t i = 0; i < members->pairs.n; i++)
		if (n > 0 && by_rows(&at[n - 1], &at[i]) == 0)
			at[n - 1].stays += at[i].stays;
		else
			at[n++] = at[i];
	members->pairs.n = n;
}

/* Pairs of a member with itself become its stays: shares refer to them. */
static void take_stays(struct ms_members *members)
{
	struct ms_members_pair *at = members->pairs.at;
	size_t n = 0;

	for (size_t i = 0; i < members->pairs.n; i++)
		if (at[i].a == at[i].b)
			members->rows.at[at[i].a].stays = at[i].stays;
		else
			at[n++] = at[i];
	members->pairs.n = n;
	for (size_t i = 0; i < n; i++)
		at[i].share = at[i].stays / (members->rows.at[at[i].a].stays +
					     members->rows.at[at[i].b].stays - at[i].stays);
}

/* --- partners and groups --- */

static void add_partner(struct ms_members *members, uint32_t to, uint32_t partner, double stays)
{
	struct ms_members_row *row = &members->rows.at[to];

	if (row->stays > 0 && stays / row->stays > row->together) {
		row->partner = partner;
		row->together = stays / row->stays;
	}
}

/* Pairs of members that begin at the same byte are counted for the first of these. */
static void share_partners(struct ms_members *members)
{
	for (size_t i = 1; i < members->rows.n; i++) {
		const struct ms_members_row *first = &members->rows.at[i - 1];
		struct ms_members_row *row = &members->rows.at[i];

		if (row->offset != first->offset)
			continue;
		row->stays = first->stays;
		row->partner = first->partner;
		row->together = first->together;
		row->group = first->group;
	}
}

static uint32_t find_root(const uint32_t *parent, uint32_t row)
{
	while (parent[row] != row)
		row = parent[row];
	return row;
}

/* Members that are connected by pairs with a large share are one group. */
static void find_groups(struct ms_members *members)
{
	uint32_t rows = (uint32_t)members->rows.n, groups = 0;
	uint32_t *parent = ms_alloc((rows + 1) * sizeof(*parent));

	for (uint32_t i = 0; i < rows; i++)
		parent[i] = i;
	for (size_t i = 0; i < members->pairs.n; i++) {
		const struct ms_members_pair *pair = &members->pairs.at[i];
		uint32_t a = find_root(parent, pair->a), b = find_root(parent, pair->b);

		if (pair->share >= MOSTLY)
			parent[a > b ? a : b] = a > b ? b : a;
	}
	for (uint32_t i = 0; i < rows; i++) {
		uint32_t root = find_root(parent, i);

		if (root == i)
			continue;
		if (members->rows.at[root].group == 0)
			members->rows.at[root].group = ++groups;
		members->rows.at[i].group = members->rows.at[root].group;
	}
	ms_free(parent);
}

void ms_members_add_pairs(struct ms_members *members, const struct ms_summary *summary)
{
	list_pairs(members, summary, true);
	if (members->pairs.n == 0)
		list_pairs(members, summary, false);
	sum_pairs(members);
	take_stays(members);
	for (size_t i = 0; i < members->pairs.n; i++) {
		const struct ms_members_pair *pair = &members->pairs.at[i];

		add_partner(members, pair->a, pair->b, pair->stays);
		add_partner(members, pair->b, pair->a, pair->stays);
	}
	find_groups(members);
	share_partners(members);
}

/* --- in one function --- */

/* Stays that the function's references fetched, in which both rows were used: a row with itself. */
static double count_stays_in_code(const struct ms_members *members, uint32_t code,
				  const struct ms_members_row *a, const struct ms_members_row *b)
{
	const struct ms_run *run = members->run;
	double stays = 0;

	for (size_t i = 0; i < run->member_pairs.n; i++) {
		const struct ms_run_member_pair *pair = &run->member_pairs.at[i];
		const struct ms_run_cell *cell = &run->cells.at[pair->cell];

		if (cell->data == members->data && pair->offset == a->offset &&
		    pair->other == b->offset &&
		    run->lines.at[run->sites.at[cell->site].line].code == code)
			stays += pair->lines;
	}
	return stays;
}

bool ms_members_are_used_together(const struct ms_members *members, uint32_t code,
				  const bool *chosen)
{
	const struct ms_members_row *at = members->rows.at;
	double *own = ms_alloc((members->rows.n + 1) * sizeof(*own));
	size_t most = 0;
	bool together = true;

	for (size_t i = 0; i < members->rows.n; i++) {
		own[i] = chosen[i] ? count_stays_in_code(members, code, &at[i], &at[i]) : 0;
		if (own[i] > own[most])
			most = i;
	}
	for (size_t i = 0; i < members->rows.n && together; i++) {
		if (i == most || !chosen[i] || own[i] <= 0)
			continue;
		double common = count_stays_in_code(members, code, &at[i < most ? i : most],
						    &at[i < most ? most : i]);

		together = common >= MOSTLY * (own[i] + own[most] - common);
	}
	ms_free(own);
	return together;
}
