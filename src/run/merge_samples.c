#include "run/merge_samples.h"

#include <stdlib.h>

#include "base/num.h"

static int compare_samples(const void *a, const void *b)
{
	const struct ms_run_hardware_sample *x = a, *y = b;
	int order = ms_cmp_u64(x->cell, y->cell);

	if (order == 0)
		order = ms_cmp_u64(x->answer, y->answer);
	return order != 0 ? order : ms_cmp_u64(x->sureness, y->sureness);
}

void ms_run_merge_samples(struct ms_run *run)
{
	struct ms_run_hardware_sample *at = run->hardware_samples.at;
	size_t n = 0;

	if (run->hardware_samples.n > 1)
		qsort(at, run->hardware_samples.n, sizeof(*at), compare_samples);
	for (size_t i = 0; i < run->hardware_samples.n; i++) {
		if (n == 0 || compare_samples(&at[n - 1], &at[i]) != 0) {
			at[n++] = at[i];
			continue;
		}
		at[n - 1].samples += at[i].samples;
		at[n - 1].events += at[i].events;
		at[n - 1].events_squares += at[i].events_squares;
		at[n - 1].latency += at[i].latency;
		at[n - 1].latency_squares += at[i].latency_squares;
	}
	run->hardware_samples.n = n;
}

static int compare_computes(const void *a, const void *b)
{
	const struct ms_run_hardware_compute *x = a, *y = b;

	return ms_cmp_u64(x->line, y->line);
}

void ms_run_merge_computes(struct ms_run *run)
{
	struct ms_run_hardware_compute *at = run->hardware_computes.at;
	size_t n = 0;

	if (run->hardware_computes.n > 1)
		qsort(at, run->hardware_computes.n, sizeof(*at), compare_computes);
	for (size_t i = 0; i < run->hardware_computes.n; i++) {
		if (n == 0 || at[n - 1].line != at[i].line) {
			at[n++] = at[i];
			continue;
		}
		at[n - 1].samples += at[i].samples;
		at[n - 1].time += at[i].time;
		at[n - 1].time_squares += at[i].time_squares;
	}
	run->hardware_computes.n = n;
}
