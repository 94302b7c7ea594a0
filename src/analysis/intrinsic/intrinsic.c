#include "analysis/intrinsic/intrinsic.h"

#include <math.h>

static void add_range(struct ms_intrinsic_range *to, double value, double low, double high)
{
	/* Errors of different data are independent: widths are added as squares. */
	double below = hypot(to->value - to->low, value - low),
	       above = hypot(to->high - to->value, high - value);

	to->value += value;
	to->low = to->value - below;
	to->high = to->value + above;
}

struct ms_intrinsic ms_intrinsic_of(const struct ms_run *run, uint32_t level, const bool *data)
{
	struct ms_intrinsic found = { 0 };

	for (size_t i = 0; i < run->optimal.n; i++) {
		const struct ms_run_optimal *o = &run->optimal.at[i];

		if (o->level != level || (data != NULL && !data[o->data]))
			continue;
		found.known = true;
		add_range(&found.optimal, o->misses, o->low, o->high);
		add_range(&found.least, o->least, o->least_low, o->least_high);
	}
	for (size_t i = 0; i < run->misses.n && found.known; i++) {
		const struct ms_run_miss *m = &run->misses.at[i];

		if (m->level != level || (data != NULL && !data[run->cells.at[m->cell].data]))
			continue;
		found.first += (double)m->causes[MS_CAUSE_FIRST];
		found.misses += (double)(m->causes[MS_CAUSE_FIRST] + m->causes[MS_CAUSE_REPLACED]);
	}
	return found;
}

static const struct ms_run_optimal *find_optimal(const struct ms_run *run, uint32_t data,
						 uint32_t level)
{
	size_t low = 0, high = run->optimal.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct ms_run_optimal *o = &run->optimal.at[middle];

		if (o->data < data || (o->data == data && o->level < level))
			low = middle + 1;
		else
			high = middle;
	}
	const struct ms_run_optimal *o = low < run->optimal.n ? &run->optimal.at[low] : NULL;

	return o != NULL && o->data == data && o->level == level ? o : NULL;
}

struct ms_intrinsic ms_intrinsic_of_data(const struct ms_run *run, uint32_t level, uint32_t data,
					 uint64_t first, uint64_t replaced)
{
	const struct ms_run_optimal *o = find_optimal(run, data, level);

	if (o == NULL)
		return (struct ms_intrinsic){ .known = false };
	return (struct ms_intrinsic){
		.known = true,
		.misses = (double)(first + replaced),
		.first = (double)first,
		.optimal = { o->misses, o->low, o->high },
		.least = { o->least, o->least_low, o->least_high },
	};
}

static const char *const words[MS_INTRINSIC_GAINS] = {
	[MS_INTRINSIC_REPLACEMENT] = "replacement",
	[MS_INTRINSIC_ORDER] = "order",
	[MS_INTRINSIC_LAYOUT] = "layout",
};

const char *ms_intrinsic_word(enum ms_intrinsic_gain gain)
{
	return words[gain];
}

/* Data may have more misses with optimal replacement, which prefers other data. */
double ms_intrinsic_gain(const struct ms_intrinsic *i, enum ms_intrinsic_gain gain)
{
	const double at[] = { i->misses, i->optimal.value, i->first, i->least.value };

	return fmax(at[gain] - at[gain + 1], 0);
}
