/*
 * views/html/digest.c - a run in the list of runs: its stall and compute time, and how its stall
 * time is distributed over the run. A whole run has to be read for it, so that the list asks for
 * those in sight only.
 */
#include "base/json.h"
#include "base/mem.h"
#include "run/enum_words.h"
#include "run/run.h"
#include "views/html/html_priv.h"

enum { POINTS = 48 }; /* of the course */

/* What a miss of the level adds to the latency that the level itself has. */
static uint64_t miss_latency(const struct ms_run *run, size_t level)
{
	uint32_t next =
		level + 1 < run->levels.n ? run->levels.at[level + 1].latency : run->memory_latency;
	uint32_t own = run->levels.at[level].latency;

	return next > own ? next - own : 1;
}

/* The latency of each slice's misses. */
static double *slice_latencies(const struct ms_run *run)
{
	double *cycles = ms_alloc(run->slices.n * sizeof(*cycles));

	for (size_t i = 0; i < run->slice_sums.n; i++) {
		const struct ms_run_slice_sum *sum = &run->slice_sums.at[i];

		if (sum->slice < run->slices.n && sum->level < run->levels.n)
			cycles[sum->slice] +=
				(double)(sum->counts.misses * miss_latency(run, sum->level));
	}
	return cycles;
}

/* Slices have any number of steps; points are equally long, and have parts of them. */
static void add_slice(double *points, double from, double to, double cycles)
{
	double length = to - from;

	for (int k = (int)from; length > 0 && k < POINTS && k < to; k++) {
		double begin = from > k ? from : k;
		double end = to < k + 1 ? to : k + 1;

		points[k] += cycles * (end - begin) / length;
	}
}

/* Latency of misses at equal distances in steps. */
static void put_course(struct ms_json *json, const struct ms_run *run)
{
	double points[POINTS] = { 0 }, steps = 0, at = 0;

	for (size_t i = 0; i < run->slices.n; i++)
		steps += (double)run->slices.at[i].steps;
	ms_json_array(json, "course");
	if (steps > 0 && run->slices.n > 1) {
		double *cycles = slice_latencies(run);

		for (size_t i = 0; i < run->slices.n; i++) {
			double from = at;

			at += (double)run->slices.at[i].steps / steps * POINTS;
			add_slice(points, from, at, cycles[i]);
		}
		ms_free(cycles);
		for (size_t k = 0; k < POINTS; k++)
			ms_json_u64(json, NULL, (uint64_t)points[k]);
	}
	ms_json_end(json);
}

int ms_html_digest_json(const struct ms_run *run, const struct ms_html_options *options, FILE *out,
			struct ms_err *err)
{
	struct ms_summary own, *summary;
	struct ms_json json;

	MS_TRY(ms_html_open_summary(run, options, &own, &summary, err));
	const struct ms_summary_counts *all = &summary->total.counts;

	ms_json_init(&json, out);
	ms_json_object(&json, NULL);
	ms_json_u64(&json, "stall_cycles", all->stall[0] + all->stall[1]);
	ms_json_u64(&json, "compute_cycles", all->compute);
	ms_json_text(&json, "unit",
		     ms_run_is_measured(run) ? ms_run_unit_word(run->hardware.at[0].unit)
					     : "cycles");
	put_course(&json, run);
	ms_json_end(&json);
	fputc('\n', out);
	ms_html_close_summary(summary, &own);
	return MS_OK;
}
