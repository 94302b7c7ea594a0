/*
 * analysis/confidence_intervals/measured_time.c - intervals of the time of joined runs, which come
 * from the samples of the real machine, also if the simulation had windows.
 */
#include <math.h>

#include "analysis/confidence_intervals/intervals_priv.h"
#include "analysis/measured/measured.h"
#include "base/mem.h"

static struct ms_intervals_bounds in_cycles(const struct ms_summary_cost *cost,
					    struct ms_measured_time t)
{
	return (struct ms_intervals_bounds){ t.low * cost->ns, t.high * cost->ns };
}

void ms_intervals_set_measured(const struct ms_summary *whole,
			       const struct ms_summary_counts *figures,
			       struct ms_intervals_entry *e)
{
	double references = (double)ms_summary_rw_sum(figures->references);

	if (!whole->cost.measured)
		return;
	struct ms_measured_share share = ms_measured_stall_share(whole, figures);

	e->stall = (struct ms_intervals_bounds){ share.low, share.high };
	e->cycles = in_cycles(&whole->cost, ms_measured_stall_time(whole, figures));
	e->average = (struct ms_intervals_bounds){ e->cycles.low / references,
						   e->cycles.high / references };
	if (!(references > 0))
		e->average = (struct ms_intervals_bounds){ NAN, NAN };
}

/* All time of the run. */
static struct ms_measured_sum sum_all(const struct ms_run *run)
{
	struct ms_measured_sum all = { 0, 0 };

	for (size_t i = 0; i < run->hardware_samples.n; i++) {
		all.ns += (double)run->hardware_samples.at[i].latency;
		all.squares += run->hardware_samples.at[i].latency_squares;
	}
	for (size_t i = 0; i < run->hardware_computes.n; i++) {
		all.ns += (double)run->hardware_computes.at[i].time;
		all.squares += run->hardware_computes.at[i].time_squares;
	}
	return all;
}

/* With several processors a line has several rows: samples do not know which. */
void ms_intervals_set_measured_compute(struct ms_intervals *intervals, const struct ms_run *run,
				       const uint64_t *keys)
{
	struct ms_measured_sum *sums = ms_alloc((intervals->at.n + 1) * sizeof(*sums));
	struct ms_measured_sum all = sum_all(run);
	double cycles = run->clock_mhz > 0 ? run->clock_mhz / 1000.0 : 1;

	for (size_t i = 0; i < run->hardware_computes.n && run->processors == 1; i++) {
		const struct ms_run_hardware_compute *c = &run->hardware_computes.at[i];
		uint32_t at = keys[c->line] == MS_NO_KEY
				      ? MS_MAP_NONE
				      : ms_map_get(&intervals->entries, keys[c->line], 0);

		if (at == MS_MAP_NONE)
			continue;
		sums[at].ns += (double)c->time;
		sums[at].squares += c->time_squares;
	}
	for (size_t i = 0; i < intervals->at.n; i++) {
		struct ms_measured_time t = ms_measured_time_of(sums[i], all);

		intervals->at.at[i].computes = true;
		intervals->at.at[i].compute =
			run->processors == 1
				? (struct ms_intervals_bounds){ t.low * cycles, t.high * cycles }
				: (struct ms_intervals_bounds){ NAN, NAN };
	}
	ms_free(sums);
}
