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

static struct ms_metric_value number(bool known, double value)
{
	struct ms_metric_value number = ms_metric_of_count(ms_round_u64(value));

	number.known = known;
	return number;
}

/* The metrics, and what each is of `i`, the intrinsic misses of the data at the level. */
#define FIGURES(X)                                                                \
	X(optimal, i.optimal.value)                                               \
	X(optimal_low, i.optimal.low)                                             \
	X(optimal_high, i.optimal.high)                                           \
	X(touched, i.least.value)                                                 \
	X(touched_low, i.least.low)                                               \
	X(touched_high, i.least.high)                                             \
	X(avoidable_replacement, ms_intrinsic_gain(&i, MS_INTRINSIC_REPLACEMENT)) \
	X(avoidable_order, ms_intrinsic_gain(&i, MS_INTRINSIC_ORDER))             \
	X(avoidable_layout, ms_intrinsic_gain(&i, MS_INTRINSIC_LAYOUT))

#define DEFINE(name, value)                                                           \
	struct ms_metric_value ms_metric_##name(const struct ms_summary *whole,       \
						const struct ms_summary_entry *entry, \
						size_t level)                         \
	{                                                                             \
		struct ms_intrinsic i = intrinsic_of(whole, entry, level);            \
                                                                                      \
		return number(i.known, value);                                        \
	}
FIGURES(DEFINE)
