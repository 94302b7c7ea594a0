#include "engine/causes/set_histogram.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/num.h"
#include "engine/engine_totals.h"

/* Data with less than 1/VISIBLE of the observed misses of a level is omitted. */
enum { VISIBLE = 100 };

void ms_causes_open_histogram(struct ms_causes_histogram *histogram, unsigned levels)
{
	*histogram = (struct ms_causes_histogram){ .levels = levels };
	histogram->set_counts = ms_alloc(levels * sizeof(*histogram->set_counts));
}

void ms_causes_close_histogram(struct ms_causes_histogram *histogram)
{
	ms_free(histogram->set_counts);
	ms_map_free(&histogram->numbers);
	ms_vec_free(&histogram->at);
}

uint64_t ms_causes_measure_histogram(const struct ms_causes_histogram *histogram)
{
	return ms_map_bytes(&histogram->numbers) + histogram->at.cap * sizeof(*histogram->at.at);
}

static struct ms_causes_set_misses *find(struct ms_causes_histogram *histogram, uint32_t data,
					 uint32_t level)
{
	const uint32_t last = histogram->last;

	if (last < histogram->at.n && histogram->at.at[last].data == data &&
	    histogram->at.at[last].level == level)
		return &histogram->at.at[last];
	uint32_t *number = ms_map_at(&histogram->numbers, data, level);

	if (*number == MS_MAP_NONE) {
		*number = (uint32_t)histogram->at.n;
		if (histogram->at.n < MS_CAUSES_MAX_HISTOGRAMS)
			*ms_vec_add(&histogram->at) =
				(struct ms_causes_set_misses){ .data = data, .level = level };
	}
	histogram->last = *number;
	return *number < histogram->at.n ? &histogram->at.at[*number] : NULL;
}

void ms_causes_count_set(struct ms_causes_histogram *histogram, uint32_t data, uint32_t level,
			 uint64_t line, uint64_t count, bool replaced)
{
	const uint64_t sets = histogram->set_counts[level];
	const uint64_t groups = sets < MS_CAUSES_SET_GROUPS ? sets : MS_CAUSES_SET_GROUPS;
	struct ms_causes_set_misses *found = find(histogram, data, level);
	uint64_t group = line % sets * groups / sets;

	if (found == NULL)
		return;
	found->misses[group] += count;
	found->replaced[group] += replaced ? count : 0;
}

static uint64_t sum_of(const struct ms_causes_set_misses *at)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < MS_CAUSES_SET_GROUPS; i++)
		sum += at->misses[i];
	return sum;
}

static int by_data_level(const void *a, const void *b)
{
	const struct ms_engine_total_set_miss *x = a, *y = b;
	int order = ms_cmp_u64(x->data, y->data);

	order = order != 0 ? order : ms_cmp_u64(x->level, y->level);
	return order != 0 ? order : ms_cmp_u64(x->sets, y->sets);
}

void ms_causes_add_set_totals(const struct ms_causes_histogram *histogram,
			      struct ms_engine_totals *totals)
{
	uint64_t *sums = ms_alloc(histogram->levels * sizeof(*sums));

	for (size_t i = 0; i < histogram->at.n; i++)
		sums[histogram->at.at[i].level] += sum_of(&histogram->at.at[i]);
	for (size_t i = 0; i < histogram->at.n; i++) {
		const struct ms_causes_set_misses *at = &histogram->at.at[i];

		for (uint32_t k = 0; k < MS_CAUSES_SET_GROUPS; k++)
			if (at->misses[k] > 0 && sum_of(at) >= sums[at->level] / VISIBLE)
				*ms_vec_add(&totals->set_misses) =
					(struct ms_engine_total_set_miss){ at->data, at->level, k,
									   at->misses[k],
									   at->replaced[k] };
	}
	if (totals->set_misses.n > 1)
		qsort(totals->set_misses.at, totals->set_misses.n, sizeof(*totals->set_misses.at),
		      by_data_level);
	ms_free(sums);
}
