/* analysis/members/members.c - see members.h. */
#include "analysis/members/members.h"

#include <string.h>

#include "analysis/summary/select.h"
#include "base/mem.h"

bool ms_members_are_known(const struct ms_run *run, uint32_t data)
{
	for (size_t i = 0; i < run->members.n; i++)
		if (run->members.at[i].data == data)
			return true;
	return false;
}

/* --- layout --- */

static void add_padding(struct ms_members *members, uint32_t from, uint32_t to)
{
	if (to > from)
		*ms_vec_add(&members->rows) = (struct ms_members_row){ .offset = from,
								       .size = to - from,
								       .partner = MS_NONE };
}

/* Members are sorted by offset; bit fields can share bytes. */
static void list_layout(struct ms_members *members)
{
	const struct ms_run *run = members->run;
	uint32_t end = 0;

	for (size_t i = 0; i < run->members.n; i++) {
		const struct ms_run_member *member = &run->members.at[i];

		if (member->data != members->data)
			continue;
		members->element = member->element;
		add_padding(members, end, member->offset);
		*ms_vec_add(&members->rows) = (struct ms_members_row){ .offset = member->offset,
								       .size = member->size,
								       .name = member->name,
								       .type = member->type,
								       .partner = MS_NONE };
		if (member->offset + member->size > end)
			end = member->offset + member->size;
	}
	add_padding(members, end, members->element);
}

/* --- accesses --- */

/* What a reference of a cell costs on average. */
struct cell_cost {
	double first_misses;
	double last_misses;
	double stall;
};

static struct cell_cost find_cost(const struct ms_summary *summary, uint32_t number)
{
	const struct ms_run *run = summary->run;
	const struct ms_run_cell *cell = &run->cells.at[number];
	size_t from = 0, to = run->misses.n, n = 0;
	struct cell_cost cost = { 0, 0, 0 };

	while (from < to) {
		size_t middle = (from + to) / 2;

		if (run->misses.at[middle].cell < number)
			from = middle + 1;
		else
			to = middle;
	}
	while (from + n < run->misses.n && run->misses.at[from + n].cell == number) {
		const struct ms_run_miss *miss = &run->misses.at[from + n++];

		if (miss->level == 0)
			cost.first_misses += (double)ms_summary_miss_count(miss);
		if (miss->level + 1 == run->levels.n)
			cost.last_misses += (double)ms_summary_miss_count(miss);
	}
	cost.stall =
		(double)ms_summary_cost_cell(&summary->cost, cell, run->misses.at + from, n).cycles;
	return cost;
}

static bool overlaps(const struct ms_members_row *row, const struct ms_run_member_access *access)
{
	return row->name != NULL && row->offset < access->offset + access->size &&
	       access->offset < row->offset + row->size;
}

static void add_access(struct ms_members *members, const struct ms_run_member_access *access,
		       uint32_t kind, const struct cell_cost *cost, double share)
{
	double touched = 0;

	for (size_t i = 0; i < members->rows.n; i++)
		touched += overlaps(&members->rows.at[i], access);
	for (size_t i = 0; i < members->rows.n; i++) {
		struct ms_members_row *row = &members->rows.at[i];

		if (!overlaps(row, access))
			continue;
		row->reads += kind != MS_SITE_WRITE ? access->references : 0;
		row->writes +=
			kind == MS_SITE_WRITE || kind == MS_SITE_MODIFY ? access->references : 0;
		row->first_misses += cost->first_misses * share / touched;
		row->last_misses += cost->last_misses * share / touched;
		row->stall += cost->stall * share / touched;
		members->stall += cost->stall * share / touched;
	}
}

static void add_accesses(struct ms_members *members, const struct ms_summary *summary)
{
	const struct ms_run *run = members->run;

	for (size_t i = 0; i < run->member_accesses.n; i++) {
		const struct ms_run_member_access *access = &run->member_accesses.at[i];
		const struct ms_run_cell *cell = &run->cells.at[access->cell];

		if (cell->data != members->data || cell->references == 0)
			continue;
		struct cell_cost cost = find_cost(summary, access->cell);

		add_access(members, access, run->sites.at[cell->site].kind, &cost,
			   access->references / (double)cell->references);
	}
}

/* --- pairs --- */

static uint32_t find_row(const struct ms_members *members, uint32_t offset)
{
	for (uint32_t i = 0; i < members->rows.n; i++)
		if (members->rows.at[i].offset == offset && members->rows.at[i].name != NULL)
			return i;
	return MS_NONE;
}

static void add_partner(struct ms_members *members, uint32_t to, uint32_t partner, double lines)
{
	struct ms_members_row *row = &members->rows.at[to];

	if (row->lines > 0 && lines / row->lines > row->together) {
		row->partner = partner;
		row->together = lines / row->lines;
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
		row->lines = first->lines;
		row->partner = first->partner;
		row->together = first->together;
	}
}

/* Functions that copy memory are left out: what only they use has no partner. */
static bool is_used(const struct ms_members *members, uint32_t row)
{
	return row != MS_NONE && members->rows.at[row].reads + members->rows.at[row].writes > 0;
}

/* First the stays of each member: shares refer to them. */
static void add_pairs(struct ms_members *members)
{
	const struct ms_run *run = members->run;

	for (int alone = 1; alone >= 0; alone--)
		for (size_t i = 0; i < run->member_pairs.n; i++) {
			const struct ms_run_member_pair *pair = &run->member_pairs.at[i];
			uint32_t a, b;

			if (pair->data != members->data || (pair->offset == pair->other) != alone)
				continue;
			a = find_row(members, pair->offset);
			b = find_row(members, pair->other);
			if (!is_used(members, a) || !is_used(members, b))
				continue;
			if (alone) {
				members->rows.at[a].lines += pair->lines;
				continue;
			}
			add_partner(members, a, b, pair->lines);
			add_partner(members, b, a, pair->lines);
		}
	share_partners(members);
}

void ms_members_make(struct ms_members *members, const struct ms_summary *summary, uint32_t data)
{
	*members = (struct ms_members){ .run = summary->run, .data = data };
	list_layout(members);
	add_accesses(members, summary);
	add_pairs(members);
}

void ms_members_free(struct ms_members *members)
{
	ms_vec_free(&members->rows);
}

int ms_members_select(const struct ms_summary *summary, const char *name, bool *chosen,
		      struct ms_err *err)
{
	const struct ms_run *run = summary->run;
	bool any = false;

	for (size_t i = 0; i < run->data.n; i++) {
		chosen[i] = run->data.at[i].type != NULL && strcmp(run->data.at[i].type, name) == 0;
		any = any || chosen[i];
	}
	return any ? MS_OK : ms_summary_select(&summary->data, &name, 1, chosen, NULL, err);
}
