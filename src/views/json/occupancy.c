/* views/json/occupancy.c - which data holds how much of a cache level, and when, as JSON. */
#include "views/evictions.h"

#include <math.h>
#include <string.h>

#include "analysis/confidence_intervals/intervals.h"
#include "analysis/evictions/occupancy.h"
#include "base/json.h"
#include "views/json/parts.h"

static void json_slices(struct ms_json *j, const struct ms_evictions_occupants *o,
			const double *slices)
{
	ms_json_array(j, "slices");
	for (uint32_t i = 0; i < o->slices; i++)
		ms_json_real(j, NULL, slices[i]);
	ms_json_end(j);
}

static void json_came(struct ms_json *j, const struct ms_evictions_occupants *o,
		      const uint64_t *came)
{
	ms_json_array(j, "came");
	for (uint32_t i = 0; i < o->slices; i++)
		ms_json_u64(j, NULL, came[i]);
	ms_json_end(j);
}

/* Of a sampled run: the low or high ends, to a tenth of a line; what is not known is null. */
static void json_ends(struct ms_json *j, const struct ms_evictions_occupants *o, const char *key,
		      const struct ms_intervals_bounds *within, bool high)
{
	ms_json_array(j, key);
	for (uint32_t i = 0; i < o->slices; i++) {
		double end = high ? ceil(10 * within[i].high) / 10 : floor(10 * within[i].low) / 10;

		if (isnan(end))
			ms_json_null(j, NULL);
		else
			ms_json_real(j, NULL, end);
	}
	ms_json_end(j);
}

static void json_within(struct ms_json *j, const struct ms_evictions_occupants *o,
			const struct ms_intervals_bounds *within)
{
	if (o->run->samplings.n == 0)
		return;
	json_ends(j, o, "came_low", within, false);
	json_ends(j, o, "came_high", within, true);
}

static void json_occupant(struct ms_json *j, const struct ms_evictions_occupants *o,
			  const struct ms_evictions_occupant *at)
{
	ms_json_object(j, NULL);
	ms_json_text(j, "data", at->data != MS_NONE ? o->run->data.at[at->data].name : NULL);
	ms_json_real(j, "mean_lines", at->mean);
	if (at->data != MS_NONE)
		ms_json_u64(j, "peak_lines", at->peak);
	else
		ms_json_null(j, "peak_lines");
	ms_json_u64(j, "end_lines", at->lines);
	if (at->timed)
		json_slices(j, o, at->slices);
	else
		ms_json_null(j, "slices");
	if (at->timed && o->known_came)
		json_came(j, o, at->came);
	else
		ms_json_null(j, "came");
	if (at->timed && o->known_came)
		json_within(j, o, at->came_within);
	ms_json_end(j);
}

void ms_views_json_occupancy_array(struct ms_json *j, const struct ms_evictions *e)
{
	const struct ms_run *run = e->whole.run;

	ms_json_array(j, "occupancy");
	for (uint32_t level = 0; level < run->levels.n && run->steps > 0; level++) {
		struct ms_evictions_occupants o;

		if (!ms_evictions_has_level(e, level))
			continue;
		ms_evictions_occupants_make(&o, e, level, SIZE_MAX, 0);
		ms_json_object(j, NULL);
		ms_json_text(j, "level", run->levels.at[level].name);
		ms_json_u64(j, "lines", o.lines);
		ms_json_u64(j, "steps", run->steps);
		ms_json_u64(j, "slice_steps", run->slice_steps);
		if (o.known_came)
			json_within(j, &o, o.came_within);
		ms_json_array(j, "occupants");
		for (size_t i = 0; i < o.at.n; i++)
			json_occupant(j, &o, &o.at.at[i]);
		ms_json_end(j);
		ms_json_end(j);
		ms_evictions_occupants_free(&o);
	}
	ms_json_end(j);
}

/* The JSON of evictions holds both. */
void ms_views_json_occupancy(const struct ms_evictions *e, const struct ms_views_options *options,
			     bool timeline, FILE *out)
{
	(void)timeline;
	ms_views_json_evictions(e, options, out);
}
