/* analysis/metric/metric_intrinsic.c - misses of data that nothing avoids, in ms_metric_table. */
#include "analysis/intrinsic/intrinsic.h"

#include "analysis/metric/metric_priv.h"
#include "base/num.h"

static struct ms_intrinsic intrinsic_of(const struct ms_summary *whole,
					const struct ms_summary_entry *entry, size_t level)
{
	const uint64_t *causes = entry->counts.levels[level].causes;

	if (entry->data == MS_NONE) /* the rest */
		return (struct ms_intrinsic){ .known = false };
	return ms_intrinsic_of_data(whole->run, (uint32_t)level, entry->data,
				    causes[MS_CAUSE_FIRST], causes[MS_CAUSE_REPLACED]);
}

static struct ms_metric_value number(const struct ms_intrinsic *i, double value)
{
	uint64_t count = ms_round_u64(value);

	return (struct ms_metric_value){ .known = i->known, .count = count, .real = (double)count };
}

#define FIGURE(name)                                                                  \
	struct ms_metric_value ms_metric_##name(const struct ms_summary *whole,       \
						const struct ms_summary_entry *entry, \
						size_t level)

FIGURE(optimal)
{
	struct ms_intrinsic i = intrinsic_of(whole, entry, level);

	return number(&i, i.optimal.value);
}

FIGURE(optimal_low)
{
	struct ms_intrinsic i = intrinsic_of(whole, entry, level);

	return number(&i, i.optimal.low);
}

FIGURE(optimal_high)
{
	struct ms_intrinsic i = intrinsic_of(whole, entry, level);

	return number(&i, i.optimal.high);
}

FIGURE(touched)
{
	struct ms_intrinsic i = intrinsic_of(whole, entry, level);

	return number(&i, i.least.value);
}

FIGURE(touched_low)
{
	struct ms_intrinsic i = intrinsic_of(whole, entry, level);

	return number(&i, i.least.low);
}

FIGURE(touched_high)
{
	struct ms_intrinsic i = intrinsic_of(whole, entry, level);

	return number(&i, i.least.high);
}

FIGURE(avoidable_replacement)
{
	struct ms_intrinsic i = intrinsic_of(whole, entry, level);

	return number(&i, ms_intrinsic_gain(&i, MS_INTRINSIC_REPLACEMENT));
}

FIGURE(avoidable_order)
{
	struct ms_intrinsic i = intrinsic_of(whole, entry, level);

	return number(&i, ms_intrinsic_gain(&i, MS_INTRINSIC_ORDER));
}

FIGURE(avoidable_layout)
{
	struct ms_intrinsic i = intrinsic_of(whole, entry, level);

	return number(&i, ms_intrinsic_gain(&i, MS_INTRINSIC_LAYOUT));
}
