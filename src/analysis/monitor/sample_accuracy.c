/* analysis/monitor/sample_accuracy.c - shares, intervals and ranks of what a monitor sampled, and
 * how right. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/monitor/monitor_priv.h"
#include "analysis/summary/rounded_shares.h"
#include "base/mem.h"
#include "base/num.h"

static const double Z = 1.959963984540054; /* 95 % of a normal distribution lie within */

/* Shares that count: whose rows are judged, and the least of a row, or between two ranks. */
static const double JUDGED = 0.1, APART = 0.01;

/* Rows are judged, and those of evictions counted, by group: a data, or a victim. */
struct sample_group {
	uint64_t actual;
	uint64_t sampled;
};

struct accuracy_builder {
	const struct ms_run *run;
	struct ms_monitor_list *list;
	double effective;
	struct sample_group *by_data;   /* of the run: all rows of this data */
	struct sample_group *by_victim; /* likewise; only of evictions */
};

double ms_monitor_precision(double effective)
{
	return Z / (2 * sqrt(effective + Z * Z));
}

/* Wilson: also right for shares near 0 and 1, and for few samples. */
static void set_interval(struct ms_monitor_row *row, double n)
{
	double p = row->sampled_share, z2 = Z * Z;
	double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
	double half = Z / (1 + z2 / n) * sqrt(p * (1 - p) / n + z2 / (4 * n * n));

	row->low = n > 0 && p > 0 && middle > half ? middle - half : 0;
	row->high = n > 0 && p < 1 && middle + half < 1 ? middle + half : 1;
}

static const struct sample_group *whole_of(const struct accuracy_builder *j,
					   const struct ms_monitor_row *row,
					   struct sample_group *all)
{
	*all = (struct sample_group){ j->list->actual, j->list->sampled };
	return row->victim != MS_NONE ? &j->by_victim[row->victim] : all;
}

static void set_shares(const struct accuracy_builder *j)
{
	for (size_t i = 0; i < j->list->rows.n; i++) {
		struct ms_monitor_row *row = &j->list->rows.at[i];
		struct sample_group all;
		const struct sample_group *whole = whole_of(j, row, &all);
		const struct sample_group *judged =
			row->victim != MS_NONE ? whole : &j->by_data[row->data];

		/* Counts of a damaged run may wrap around: no share is above 1 for that. */
		row->actual_share = fmin(ms_summary_share(row->actual, whole->actual), 1);
		row->sampled_share = fmin(ms_summary_share(row->sampled, whole->sampled), 1);
		set_interval(row, j->effective * ms_summary_share(whole->sampled, all.sampled));
		row->has_samples = whole->sampled > 0;
		row->judged = row->has_samples &&
			      ms_summary_share(judged->actual, all.actual) >= JUDGED &&
			      fmax(row->actual_share, row->sampled_share) >= APART;
	}
}

static void add_groups(const struct accuracy_builder *j)
{
	for (size_t i = 0; i < j->list->rows.n; i++) {
		const struct ms_monitor_row *row = &j->list->rows.at[i];

		j->by_data[row->data].actual += row->actual;
		j->by_data[row->data].sampled += row->sampled;
		if (row->victim == MS_NONE)
			continue;
		j->by_victim[row->victim].actual += row->actual;
		j->by_victim[row->victim].sampled += row->sampled;
	}
}

/* --- order and ranks --- */

static int compare_names(const struct ms_run *run, uint32_t a, uint32_t b)
{
	int order = strcmp(run->data.at[a].name, run->data.at[b].name);

	return order != 0 ? order : ms_cmp_u64(a, b);
}

/* The victims with the most evictions first; rows without one are all alike. */
static int compare_victims(const struct accuracy_builder *j, const struct ms_monitor_row *a,
			   const struct ms_monitor_row *b)
{
	if (a->victim == b->victim)
		return 0;
	const struct sample_group *x = &j->by_victim[a->victim], *y = &j->by_victim[b->victim];
	int order = ms_cmp_u64(y->actual, x->actual);
	if (order == 0)
		order = ms_cmp_u64(y->sampled, x->sampled);
	return order != 0 ? order : compare_names(j->run, a->victim, b->victim);
}

static int compare_rows(const struct accuracy_builder *j, const struct ms_monitor_row *a,
			const struct ms_monitor_row *b)
{
	int order = compare_names(j->run, a->data, b->data);

	return order != 0 ? order : ms_cmp_u64(a->line, b->line);
}

static int by_sampled(const void *a, const void *b, void *judge)
{
	const struct ms_monitor_row *x = a, *y = b;
	int order = compare_victims(judge, x, y);

	if (order == 0)
		order = ms_cmp_u64(y->sampled, x->sampled);
	return order != 0 ? order : compare_rows(judge, x, y);
}

static int by_actual(const void *a, const void *b, void *judge)
{
	const struct ms_monitor_row *x = a, *y = b;
	int order = compare_victims(judge, x, y);

	if (order == 0)
		order = ms_cmp_u64(y->actual, x->actual);
	if (order == 0)
		order = ms_cmp_u64(y->sampled, x->sampled);
	return order != 0 ? order : compare_rows(judge, x, y);
}

/* Rows are sorted. Equal counts share a rank; rows with count 0 have no rank. */
static void set_ranks(struct ms_monitor_list *list, bool sampled)
{
	size_t first = 0;
	uint32_t rank = 0;

	for (size_t i = 0; i < list->rows.n; i++) {
		struct ms_monitor_row *row = &list->rows.at[i];
		const struct ms_monitor_row *last = i > 0 ? row - 1 : NULL;
		uint64_t count = sampled ? row->sampled : row->actual;

		if (last == NULL || last->victim != row->victim)
			first = i;
		if (i == first || count != (sampled ? last->sampled : last->actual))
			rank = (uint32_t)(i - first + 1);
		*(sampled ? &row->sampled_rank : &row->actual_rank) = count > 0 ? rank : 0;
	}
}

/* --- accuracy --- */

/* Pairs of a group that begins at `first`: only what has a hundredth can be apart from others. */
static size_t misplaced_in(const struct ms_monitor_row *rows, size_t first, size_t end)
{
	size_t n = 0;

	for (size_t i = first; i < end && rows[i].actual_share > APART; i++)
		for (size_t k = i + 1; k < end; k++)
			n += rows[i].actual_share - rows[k].actual_share > APART &&
			     rows[i].sampled < rows[k].sampled;
	return n;
}

static size_t end_of_group(const struct ms_monitor_list *list, size_t first)
{
	size_t end = first;

	while (end < list->rows.n && list->rows.at[end].victim == list->rows.at[first].victim)
		end++;
	return end;
}

static void set_accuracy(struct ms_monitor_list *list)
{
	struct ms_monitor_accuracy *accuracy = &list->accuracy;

	for (size_t i = 0, end; i < list->rows.n; i = end) {
		end = end_of_group(list, i);
		/* Ranks of evictions that hardly happen are not looked at either. */
		if (list->rows.at[i].victim == MS_NONE || list->rows.at[i].judged)
			accuracy->misplaced += misplaced_in(list->rows.at, i, end);
	}
	for (size_t i = 0; i < list->rows.n; i++) {
		const struct ms_monitor_row *row = &list->rows.at[i];
		double error = fabs(row->sampled_share - row->actual_share);

		if (!row->judged)
			continue;
		accuracy->judged++;
		accuracy->inside += row->actual_share >= row->low && row->actual_share <= row->high;
		if (error > accuracy->error)
			accuracy->error = error;
	}
}

void ms_monitor_compute_accuracy(struct ms_monitor_list *list, const struct ms_run *run,
				 double effective)
{
	struct accuracy_builder j = { .run = run, .list = list, .effective = effective };
	size_t n = list->rows.n;

	if (n == 0)
		return;
	j.by_data = ms_alloc(run->data.n * sizeof(*j.by_data));
	j.by_victim = ms_alloc(run->data.n * sizeof(*j.by_victim));
	add_groups(&j);
	set_shares(&j);
	qsort_r(list->rows.at, n, sizeof(*list->rows.at), by_sampled, &j);
	set_ranks(list, true);
	qsort_r(list->rows.at, n, sizeof(*list->rows.at), by_actual, &j);
	set_ranks(list, false);
	set_accuracy(list);
	ms_free(j.by_data);
	ms_free(j.by_victim);
}
