/*
 * analysis/diff/match_times.c - gives runs times that can be compared. Measured and estimated time
 * differ by the error of the estimate, nanoseconds and cycles by the clock.
 */
#include "analysis/diff/diff.h"

static bool is_estimated(const struct ms_run *run)
{
	return !ms_run_has_measured_time(run) && !ms_run_is_measured(run);
}

/* Samples alone are in nanoseconds, which is what a clock that is not known stands for. */
static uint32_t clock_of(const struct ms_run *run)
{
	return ms_run_is_measured(run) ? 0 : run->clock_mhz;
}

void ms_diff_match_times(struct ms_run *const *runs, size_t n)
{
	bool estimates = false, clocks = false;

	for (size_t i = 0; i < n; i++) {
		estimates = estimates || is_estimated(runs[i]);
		clocks = clocks || clock_of(runs[i]) != clock_of(runs[0]);
	}
	for (size_t i = 0; i < n; i++) {
		if (!ms_run_has_measured_time(runs[i]))
			continue;
		runs[i]->by_estimate = estimates;
		if (clocks && !estimates)
			runs[i]->clock_mhz = 0;
	}
}
