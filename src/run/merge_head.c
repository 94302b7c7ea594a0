/* run/merge_head.c - sums of the figures that a run has once. */
#include "run/merge_head.h"

#include <math.h>

/* The part that a run is of it and those before. */
static double weight_of(uint64_t before, uint64_t more)
{
	return more > 0 ? (double)more / ((double)before + (double)more) : 0;
}

/* Where nothing was counted, the first value stays: one of a run is a value, 0 may be none. */
static void sum_mean(double *mean, double value, double weight)
{
	*mean += (value - *mean) * weight;
}

static void sum_sampling(struct ms_run *run, const struct ms_run *from)
{
	struct ms_run_sampling *to = run->samplings.at;
	const struct ms_run_sampling *s = from->samplings.at;

	if (from->samplings.n == 0 || run->samplings.n == 0)
		return;
	double weight = weight_of(to->references, s->references);

	sum_mean(&to->scale, s->scale, weight);
	sum_mean(&to->time_scale, s->time_scale, weight);
	sum_mean(&to->alone, s->alone, weight);
	to->windows += s->windows;
	to->references += s->references;
	to->total += s->total;
	to->total_low += s->total_low;
	to->total_high += s->total_high;
	to->exact = to->exact && s->exact;
}

static void sum_hardware(struct ms_run *run, const struct ms_run *from)
{
	struct ms_run_hardware *to = run->hardware.at;
	const struct ms_run_hardware *h = from->hardware.at;

	if (from->hardware.n == 0 || run->hardware.n == 0)
		return;
	double weight = weight_of(to->cpu_ns, h->cpu_ns);

	sum_mean(&to->period, h->period, weight);
	sum_mean(&to->covered, h->covered, weight);
	if (to->overhead < 0 || h->overhead < 0)
		to->overhead = -1;
	else
		sum_mean(&to->overhead, h->overhead, weight);
	to->samples += h->samples;
	to->throttled += h->throttled;
	to->cpu_ns += h->cpu_ns;
	to->threads += h->threads;
}

/* The first one that has not ended well is the end of all. */
static void sum_end(struct ms_run *run, const struct ms_run *from)
{
	if (run->end == MS_END_EXITED && run->exit_status == 0) {
		run->end = from->end;
		run->exit_status = from->exit_status;
	}
}

void ms_run_sum_head(struct ms_run *run, const struct ms_run *from, size_t count)
{
	run->wall_seconds = fmax(run->wall_seconds, from->wall_seconds);
	run->processor_seconds += from->processor_seconds;
	run->observed_part += (from->observed_part - run->observed_part) / (double)(count + 1);
	run->instructions += from->instructions;
	run->compute_cycles += from->compute_cycles;
	run->stops += from->stops;
	run->merged_sites += from->merged_sites;
	run->merged_pairs += from->merged_pairs;
	run->pair_error += from->pair_error;
	run->steps += from->steps;
	if (from->processors > run->processors)
		run->processors = from->processors;
	if (from->ranks > run->ranks)
		run->ranks = from->ranks;
	sum_end(run, from);
	sum_sampling(run, from);
	sum_hardware(run, from);
}
