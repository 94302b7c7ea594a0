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
