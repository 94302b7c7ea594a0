/*
 * engine/spatial/divide_misses.c - estimates which replacement misses of the levels after the first
 * are conflict misses, from the distances of selected lines, and which accesses would miss with
 * optimal replacement.
 *
 * One line in r is selected at random. Of d different lines that were used since a line was used
 * last, d / r were selected on average, with the variance d / r * (1 - 1 / r). A fully associative
 * cache of c lines hits if d < c. So where the number of selected lines is more than two standard
 * deviations below c / r, it hits; where it is as much above, it misses; in between it is
 * ambiguous. If all lines are selected, nothing is.
 *
 * As in causes/, the cache sees the accesses of its level: the misses of the level before.
 */
#include <math.h>

#include "engine/causes/causes_state.h"
#include "engine/engine_priv.h"
#include "engine/spatial/residency_sums.h"
#include "engine/spatial/spatial_state.h"

#define DEVIATIONS 2.0

/* As many selected lines of the cache as there may be, as are likely, and as there are at least. */
static void set_optimal(struct ms_causes_optimal *optimal, double mean, double error)
{
	const uint32_t lines[] = {
		[MS_ENGINE_OPTIMAL_FEWEST] = (uint32_t)ceil(mean + error),
		[MS_ENGINE_OPTIMAL_LIKELY] = (uint32_t)(mean + 0.5),
		[MS_ENGINE_OPTIMAL_MOST] = (uint32_t)fmax(mean - error, 0),
	};

	ms_causes_set_optimal_sizes(optimal, lines);
}

static double find_error(double mean, double rate)
{
	return DEVIATIONS * sqrt(mean * (1 - 1 / rate));
}

static void set_limits(struct ms_spatial_limits *limits, double rate)
{
	double mean = (double)limits->lines / rate, error = find_error(mean, rate);

	limits->hits = (uint32_t)ceil(fmax(mean - error, 0));
	limits->misses = (uint32_t)ceil(mean + error);
}

void ms_spatial_set_limits(struct ms_spatial *spatial)
{
	double rate = (double)ms_spatial_get_weight(spatial);

	for (unsigned size = 0; size < MS_ENGINE_CURVE_SIZES; size++) {
		spatial->sizes[size].lines =
			((uint64_t)MS_ENGINE_CURVE_BYTES << size) >> spatial->line_shift;
		set_limits(&spatial->sizes[size], rate);
	}
	for (unsigned level = 1; level < MS_SPATIAL_ORDERS; level++) {
		double mean = (double)spatial->limits[level].lines / rate;

		set_limits(&spatial->limits[level], rate);
		set_optimal(&spatial->optimal[level], mean, find_error(mean, rate));
	}
}

void ms_spatial_divide_replacements(struct ms_engine *engine, const struct ms_machine *machine)
{
	struct ms_spatial *spatial = engine->spatial;

	if (spatial == NULL || spatial->watches || !ms_causes_is_estimated(engine))
		return;
	for (unsigned level = 1; level < spatial->levels && level < MS_SPATIAL_ORDERS; level++) {
		const struct ms_machine_level *l = &machine->levels.at[level];

		if (l->line == machine->levels.at[0].line)
			spatial->limits[level].lines = l->size / l->line;
	}
}

static enum ms_causes_verdict judge(const struct ms_spatial_limits *limits, int64_t since)
{
	if (since < (int64_t)limits->hits)
		return MS_CAUSES_HITS;
	return since >= (int64_t)limits->misses ? MS_CAUSES_MISSES : MS_CAUSES_AMBIGUOUS;
}

static void add_optimal(struct ms_engine *engine, const struct ms_spatial_line *line,
			const struct ms_spatial_touch *touch, unsigned level, unsigned hits)
{
	const struct ms_causes_optimal_access access = {
		.data = touch->cell->data,
		.level = level,
		.group = ms_spatial_find_group(line->line),
		.weight = ms_spatial_get_weight(engine->spatial),
		.missed = touch->missed > level,
		.hits = hits,
	};

	ms_causes_add_optimal(&engine->causes->optimal_sums, &access);
}

void ms_spatial_divide_misses(struct ms_engine *engine, struct ms_spatial_line *line,
			      const struct ms_spatial_touch *touch)
{
	struct ms_spatial *spatial = engine->spatial;

	if (!ms_causes_is_estimated(engine))
		return;
	for (unsigned level = 1; level <= touch->missed && level < MS_SPATIAL_ORDERS; level++) {
		const struct ms_spatial_limits *limits = &spatial->limits[level];

		if (limits->lines == 0)
			continue;
		struct ms_spatial_use use = ms_spatial_use_line(spatial, line, level);
		if (use.since == MS_SPATIAL_NEVER_USED)
			continue;
		add_optimal(engine, line, touch, level, use.hits);
		const struct ms_causes_observation o = {
			.cell = touch->cell,
			.level = level,
			.group = ms_spatial_find_group(line->line),
			.weight = ms_spatial_get_weight(spatial),
			.missed = touch->missed > level,
			.verdict = judge(limits, use.since),
		};
		ms_causes_add_observation(&engine->causes->estimates, &o);
	}
}
