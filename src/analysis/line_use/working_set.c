/* analysis/line_use/working_set.c - see working_set.h. */
#include "analysis/line_use/working_set.h"

#include <math.h>

#include "base/mem.h"
#include "base/num.h"

/*
 * From the sums of the misses at the shortest and the longest distances, and of the variances of
 * the misses: both which lines are observed, and how exactly their distances are known, matters.
 */
static void set_interval(struct ms_line_use_point *point, double least, double most,
			 double variance, double references)
{
	double error = MS_NORMAL_95 * sqrt(variance);

	point->low = fmax(fmin(point->misses, least) - error, 0);
	point->high = fmax(point->misses, most) + error;
	point->misses = fmin(point->misses, references);
	point->low = fmin(point->low, references);
	point->high = fmin(point->high, references);
}

double *ms_line_use_count_references(const struct ms_run *run)
{
	double *references = ms_alloc((run->data.n + 1) * sizeof(*references));

	for (size_t i = 0; i < run->cells.n; i++)
		references[run->cells.at[i].data] += (double)run->cells.at[i].references;
	return references;
}

struct ms_line_use_point ms_line_use_get_point(const struct ms_run_curve *row, double references)
{
	struct ms_line_use_point point = { .size = UINT64_C(1) << row->size_bits,
					   .misses = row->misses };

	set_interval(&point, row->least, row->most, row->variance, references);
	return point;
}

static double sum_references(const struct ms_run *run, const bool *data)
{
	double *references = ms_line_use_count_references(run), sum = 0;

	for (size_t i = 0; i < run->data.n; i++)
		sum += data == NULL || data[i] ? references[i] : 0;
	ms_free(references);
	return sum;
}

/* Rows are sorted by data, then size; all data has the same sizes. */
static struct ms_line_use_point *find_point(struct ms_line_use_curve *curve, uint64_t size)
{
	size_t i = 0;

	while (i < curve->at.n && curve->at.at[i].size != size)
		i++;
	if (i == curve->at.n)
		ms_vec_add(&curve->at)->size = size;
	return &curve->at.at[i];
}

void ms_line_use_make_curve(const struct ms_run *run, const bool *data,
			    struct ms_line_use_curve *curve)
{
	const double references = sum_references(run, data);

	*curve = (struct ms_line_use_curve){ MS_VEC_INIT };
	for (size_t i = 0; i < run->curves.n; i++) {
		const struct ms_run_curve *row = &run->curves.at[i];

		if (data != NULL && !data[row->data])
			continue;
		struct ms_line_use_point *point = find_point(curve, UINT64_C(1) << row->size_bits);
		point->misses += row->misses;
		point->low += row->least; /* sums until the end */
		point->high += row->most;
		point->variance += row->variance;
	}
	for (size_t i = 0; i < curve->at.n; i++)
		set_interval(&curve->at.at[i], curve->at.at[i].low, curve->at.at[i].high,
			     curve->at.at[i].variance, references);
}

uint64_t ms_line_use_find_working_set(const struct ms_line_use_curve *curve, double part)
{
	if (curve->at.n == 0)
		return 0;
	double most = curve->at.at[0].misses, least = curve->at.at[curve->at.n - 1].misses;

	for (size_t i = 0; i < curve->at.n; i++)
		if (curve->at.at[i].misses - least <= part * (most - least))
			return curve->at.at[i].size;
	return curve->at.at[curve->at.n - 1].size;
}
