/*
 * analysis/members/used_members.c - the members that the loop of a line of code uses, not those of
 * its whole function.
 *
 * The run has no loops. The references of the line that wait are in the loop, and so is what is
 * used in the stays of the cache lines that they fetch. References of other loops on the same
 * source line, as an inlined initialisation, mostly use whole cache lines; they are left out.
 * Stays are those of one cache line: of elements that are larger, members in other cache lines
 * count if the function uses them nearly as often.
 */
#include "analysis/members/members_priv.h"
#include "base/mem.h"
#include "base/num.h"

/* Of the stall of the reference that waits most: others wait for the same loop, or do not matter.
 */
#define LEAST_STALL 0.2
/* Of the bytes that a reference fetches: with more, it uses whole cache lines. */
#define MOST_USED 0.5
/* References to a member, in relation to those to the most used one: less is not in the loop. */
#define LEAST_USED 0.05
/* The same for members that only other lines of the function use, in large elements. */
#define LEAST_USED_ELSEWHERE 0.3

struct line_cells {
	bool *is_chosen; /* by cell of the run */
	double most_stall;
};

static double find_used_share(const struct ms_run *run, uint32_t number,
			      const struct ms_members_cost *cost)
{
	const struct ms_run_cell *cell = &run->cells.at[number];

	return (double)cell->references * run->sites.at[cell->site].size /
	       (cost->first_misses * run->levels.at[0].line);
}

/* Cells of the line with accesses to members: copies of whole elements have none. */
static bool *find_cells(const struct ms_members *members, uint32_t line)
{
	const struct ms_run *run = members->run;
	bool *of_line = ms_alloc((run->cells.n + 1) * sizeof(*of_line));

	for (size_t i = 0; i < run->member_accesses.n; i++) {
		uint32_t number = run->member_accesses.at[i].cell;
		const struct ms_run_cell *cell = &run->cells.at[number];

		of_line[number] =
			cell->data == members->data && run->sites.at[cell->site].line == line;
	}
	return of_line;
}

/* Of the cells of a line, all that wait, or those that leave most of each fetched line unused. */
static void choose_cells(struct line_cells *cells, const struct ms_members *members,
			 const struct ms_summary *summary, const bool *of_line, bool wasteful)
{
	const struct ms_run *run = members->run;
	double *stall = ms_alloc((run->cells.n + 1) * sizeof(*stall));

	cells->most_stall = 0;
	for (uint32_t i = 0; i < run->cells.n; i++) {
		if (!of_line[i])
			continue;
		struct ms_members_cost cost = ms_members_find_cost(summary, i);

		if (!wasteful ||
		    (cost.first_misses > 0 && find_used_share(run, i, &cost) <= MOST_USED))
			stall[i] = cost.stall;
		if (stall[i] > cells->most_stall)
			cells->most_stall = stall[i];
	}
	for (uint32_t i = 0; i < run->cells.n; i++)
		cells->is_chosen[i] = stall[i] > 0 && stall[i] >= LEAST_STALL * cells->most_stall;
	ms_free(stall);
}

static double find_most(const double *values, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		if (values[i] > most)
			most = values[i];
	return most;
}

/* Stays that the cells fetched, by the member that was used in them. */
static void count_stays(const struct ms_members *members, const struct line_cells *cells,
			double *stays)
{
	const struct ms_run *run = members->run;

	for (size_t i = 0; i < run->member_pairs.n; i++) {
		const struct ms_run_member_pair *pair = &run->member_pairs.at[i];

		if (!cells->is_chosen[pair->cell] || pair->offset != pair->other)
			continue;
		for (size_t k = 0; k < members->rows.n; k++)
			if (members->rows.at[k].name != NULL &&
			    members->rows.at[k].offset == pair->offset)
				stays[k] += pair->lines;
	}
}

static void mark(bool *used, const double *values, size_t n, double least)
{
	for (size_t i = 0; i < n; i++)
		used[i] |= values[i] > least;
}

static void find_used(const struct ms_members *members, const struct line_cells *cells,
		      uint32_t code, bool *used)
{
	size_t n = members->rows.n;
	double *own = ms_alloc((n + 1) * sizeof(*own)), *stays = ms_alloc((n + 1) * sizeof(*stays)),
	       *of_code = ms_alloc((n + 1) * sizeof(*of_code));

	ms_members_count_in_cells(members, cells->is_chosen, own);
	count_stays(members, cells, stays);
	ms_members_count_in_code(members, code, of_code);
	double most = find_most(own, n), most_stays = find_most(stays, n);

	if (most == 0 || most_stays == 0)
		mark(used, of_code, n, LEAST_USED * find_most(of_code, n));
	mark(used, own, n, LEAST_USED * most);
	mark(used, stays, n, LEAST_USED * most_stays);
	if (members->element > members->run->levels.at[0].line && most > 0)
		mark(used, of_code, n, LEAST_USED_ELSEWHERE * most);
	ms_free(own);
	ms_free(stays);
	ms_free(of_code);
}

void ms_members_find_used(const struct ms_members *members, const struct ms_summary *summary,
			  uint32_t line, bool *used)
{
	const struct ms_run *run = members->run;
	struct line_cells cells = { .is_chosen = ms_alloc((run->cells.n + 1) *
							  sizeof(*cells.is_chosen)) };

	bool *of_line = find_cells(members, line);

	for (size_t i = 0; i < members->rows.n; i++)
		used[i] = false;
	choose_cells(&cells, members, summary, of_line, true);
	if (cells.most_stall == 0)
		choose_cells(&cells, members, summary, of_line, false);
	find_used(members, &cells, run->lines.at[line].code, used);
	ms_free(of_line);
	ms_free(cells.is_chosen);
}
