/*
 * tests/unit/sample_windows.h - the run of sample_parallel.h as if a tenth of it had been seen, in
 * 40 windows that are counted in four parts, and with two phases.
 *
 * What a cell did in a part is a fortieth of what it did in all; one data, the queue, has a half
 * more in the first two parts, and a half less in the others. One miss in ten is unknown.
 */
#ifndef MS_TESTS_SAMPLE_WINDOWS_H
#define MS_TESTS_SAMPLE_WINDOWS_H

#include "unit/sample_parallel.h"

enum { WINDOWS_PARTS = 4, WINDOWS_SCALE = 10, WINDOWS = 40 };

static uint64_t windows_part(const struct ms_run *run, uint32_t cell, uint32_t part, uint64_t count)
{
	uint64_t mean = count / (WINDOWS_PARTS * WINDOWS_SCALE);

	if (run->cells.at[cell].data != PARALLEL_QUEUE)
		return mean;
	return part < WINDOWS_PARTS / 2 ? mean + mean / 2 : mean - mean / 2;
}

static void windows_counts(struct ms_run *run)
{
	for (uint32_t i = 0; i < run->cells.n; i++)
		for (uint32_t p = 0; p < WINDOWS_PARTS; p++)
			SAMPLE_ADD(&run->sampled_references,
				   (struct ms_run_sampled_reference){
					   i, p,
					   windows_part(run, i, p, run->cells.at[i].references) });
	for (size_t i = 0; i < run->misses.n; i++) {
		const struct ms_run_miss *m = &run->misses.at[i];
		uint64_t all = m->causes[0] + m->causes[1] + m->causes[2];

		for (uint32_t p = 0; p < WINDOWS_PARTS; p++) {
			uint64_t here = windows_part(run, m->cell, p, all);
			uint64_t lost = windows_part(run, m->cell, p, m->causes[2]);

			SAMPLE_ADD(&run->sampled_misses,
				   (struct ms_run_sampled_miss){ .cell = m->cell,
								 .level = m->level,
								 .part = p,
								 .known = here - here / 10,
								 .unknown_misses = here / 10,
								 .unseen_known = here - lost,
								 .lost = lost - lost / 10,
								 .surely_lost = lost - lost / 10 });
		}
	}
}

static void windows_phases(struct ms_run *run, uint64_t references)
{
	SAMPLE_ADD(&run->phases, (struct ms_run_phase){ "<start>", 1, references / 4 });
	SAMPLE_ADD(&run->phases, (struct ms_run_phase){ "work", 3, references - references / 4 });
	SAMPLE_ADD(&run->phase_misses, (struct ms_run_phase_miss){ 0, 0, 40000 });
	SAMPLE_ADD(&run->phase_misses, (struct ms_run_phase_miss){ 0, 1, 20 });
	SAMPLE_ADD(&run->phase_misses, (struct ms_run_phase_miss){ 1, 0, 120000 });
	SAMPLE_ADD(&run->phase_misses, (struct ms_run_phase_miss){ 1, 1, 80000 });
}

MS_UNUSED static void sample_windows_run(struct ms_run *run)
{
	uint64_t seen = 0;

	sample_parallel_run(run);
	run->tag = "windows";
	windows_counts(run);
	for (size_t i = 0; i < run->sampled_references.n; i++)
		seen += run->sampled_references.at[i].references;
	for (uint32_t l = 0; l < run->levels.n; l++)
		SAMPLE_ADD(&run->sampled_levels, (struct ms_run_sampled_level){ l, 512, 1000 });
	SAMPLE_ADD(&run->samplings,
		   (struct ms_run_sampling){ .ratio = 0.1,
					     .window = seen / WINDOWS,
					     .sets = 1,
					     .seed = 1,
					     .windows = WINDOWS,
					     .references = seen,
					     .total = (double)seen * WINDOWS_SCALE,
					     .exact = 1,
					     .scale = WINDOWS_SCALE,
					     .time_scale = WINDOWS_SCALE,
					     .parts = WINDOWS_PARTS,
					     .total_low = (double)seen * WINDOWS_SCALE,
					     .total_high = (double)seen * WINDOWS_SCALE });
	windows_phases(run, seen * WINDOWS_SCALE);
}

#endif
