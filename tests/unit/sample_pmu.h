/*
 * tests/unit/sample_pmu.h - a run with four virtual performance monitors and known figures.
 *
 * It resembles Tables 11, 12 and 19 of the dissertation: three arrays, two functions. L1 has four
 * million misses, all but ten thousand of which evict something. L2 answers in 10 cycles, memory in
 * 100. The monitors: L1 misses, 1 in 25,000; L2 misses with a period that the run does not reach;
 * stall cycles with a period of its own; L1 evictions, 1 in 100,000.
 */
#ifndef MS_TESTS_SAMPLE_PMU_H
#define MS_TESTS_SAMPLE_PMU_H

#include "unit/sample_run.h"

enum { PMU_U, PMU_R, PMU_V, PMU_STACK };
enum { PMU_RESID_218, PMU_RESID_204, PMU_PSINV_162, PMU_PSINV_176, PMU_MAIN_300 };
enum { PMU_ON_MISSES, PMU_TOO_LONG, PMU_ON_LATENCY, PMU_ON_EVICTIONS };

static void pmu_places(struct ms_run *run)
{
	static const char m[] = "/home/u/mg", f[] = "/home/u/src/mg.c";
	static const char *const names[] = { "U", "R", "V", "<stack>" };
	static const struct ms_run_line lines[] = {
		{ 0, f, 218, 9000000, 0 }, { 0, f, 204, 4000000, 0 }, { 1, f, 162, 2000000, 0 },
		{ 1, f, 176, 4500000, 0 }, { 2, f, 300, 500000, 0 },
	};

	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "resid", m, f, 195, 0x1100 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "psinv", m, f, 150, 0x1200 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "main", m, f, 290, 0x1300 });
	for (size_t i = 0; i < MS_COUNT(lines); i++) {
		SAMPLE_ADD(&run->lines, lines[i]);
		SAMPLE_ADD(&run->sites,
			   (struct ms_run_site){ (uint32_t)i, MS_SITE_READ, 8, 0x1110 + i, NULL });
	}
	for (size_t i = 0; i < MS_COUNT(names); i++)
		SAMPLE_ADD(&run->data,
			   (struct ms_run_data){ .name = names[i],
						 .full_name = names[i],
						 .kind = i == PMU_STACK ? MS_DATA_STACK
									: MS_DATA_STATIC });
}

static void pmu_cells(struct ms_run *run)
{
	static const struct {
		uint32_t site, data, references, l1, l2;
		uint32_t evicts[3]; /* of U, R and V from L1 */
	} cells[] = {
		{ PMU_RESID_218, PMU_U, 4000000, 2100000, 210000, { 1300000, 500000, 290000 } },
		{ PMU_RESID_204, PMU_R, 800000, 600000, 150000, { 500000, 100000, 0 } },
		{ PMU_RESID_204, PMU_V, 1000000, 400000, 100000, { 390000, 10000, 0 } },
		{ PMU_PSINV_162, PMU_U, 1000000, 400000, 40000, { 250000, 150000, 0 } },
		{ PMU_PSINV_176, PMU_R, 3000000, 490000, 60000, { 30000, 460000, 0 } },
		{ PMU_MAIN_300, PMU_STACK, 200000, 10000, 100, { 10000, 0, 0 } },
	};

	for (uint32_t i = 0; i < MS_COUNT(cells); i++) {
		SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .site = cells[i].site,
							      .data = cells[i].data,
							      .references = cells[i].references });
		sample_miss(run, 0, 0, cells[i].l1);
		sample_miss(run, 1, 0, cells[i].l2);
		for (uint32_t victim = 0; victim < 3; victim++)
			if (cells[i].evicts[victim] > 0)
				SAMPLE_ADD(&run->evictions,
					   (struct ms_run_eviction){ i, 0, victim,
								     cells[i].evicts[victim] });
	}
}

/* Samples of a cell; each stands for as many events, and waited for as many cycles. */
static void pmu_samples(struct ms_run *run, uint32_t pmu, uint32_t cell, uint32_t victim,
			uint64_t count, uint64_t events)
{
	SAMPLE_ADD(&run->pmu_samples, (struct ms_run_pmu_sample){ pmu, cell, victim, count,
								  count * events, count * 20, 0 });
}

static void pmu_monitor(struct ms_run *run, struct ms_run_pmu pmu, uint64_t l1, uint64_t l1_own,
			uint64_t l2, uint64_t l2_own)
{
	uint32_t number = (uint32_t)run->pmus.n;

	SAMPLE_ADD(&run->pmus, pmu);
	SAMPLE_ADD(&run->pmu_levels, (struct ms_run_pmu_level){ number, 0, l1, l1_own });
	SAMPLE_ADD(&run->pmu_levels, (struct ms_run_pmu_level){ number, 1, l2, l2_own });
}

/* Cycles: 20.0M instructions and (4,000,000 - 560,100) * 10 + 560,100 * 100 of stall. */
enum { PMU_CLEAN = 20000000 + 34399000 + 56010000 };

static void pmu_on_misses(struct ms_run *run)
{
	static const uint32_t samples[][3] = {
		{ 0, PMU_U, 50 }, { 0, PMU_R, 18 },  { 0, PMU_V, 12 }, { 1, PMU_U, 22 },
		{ 1, PMU_R, 4 },  { 2, PMU_U, 17 },  { 2, PMU_R, 1 },  { 3, PMU_U, 9 },
		{ 3, PMU_R, 6 },  { 3, MS_NONE, 1 }, { 4, PMU_U, 2 },  { 4, PMU_R, 18 },
	};

	pmu_monitor(run,
		    (struct ms_run_pmu){ .event = MS_RUN_PMU_MISSES,
					 .level = 0,
					 .period = 25000,
					 .seed = 1,
					 .cost = 8800,
					 .events = 4003000,
					 .interrupts = 160,
					 .effective = 148.5,
					 .handler_instructions = 96000,
					 .handler_references = 24000,
					 .cycles = PMU_CLEAN + 1408000 + 96000 + 41000,
					 .clean_cycles = PMU_CLEAN },
		    4003000, 1900, 560400, 700);
	for (size_t i = 0; i < MS_COUNT(samples); i++)
		pmu_samples(run, PMU_ON_MISSES, samples[i][0], samples[i][1], samples[i][2],
			    24000 + 500 * i);
	run->pmu_samples.at[9].monitor = 1;
}

static void pmu_on_latency(struct ms_run *run)
{
	pmu_monitor(run,
		    (struct ms_run_pmu){ .event = MS_RUN_PMU_LATENCY,
					 .level = MS_NONE,
					 .period = 1200000,
					 .adaptive = 1,
					 .wish = 0.01,
					 .seed = UINT64_C(0xfedcba9876543210),
					 .cost = 8800,
					 .events = 90417000,
					 .interrupts = 80,
					 .effective = 64.5,
					 .handler_instructions = 48000,
					 .handler_references = 12000,
					 .cycles = PMU_CLEAN + 704000 + 48000 + 20000,
					 .clean_cycles = PMU_CLEAN },
		    4001500, 1000, 560200, 350);
	/* The period grew: those at the end weigh more. */
	pmu_samples(run, PMU_ON_LATENCY, 0, MS_NONE, 34, 1000000);
	pmu_samples(run, PMU_ON_LATENCY, 1, MS_NONE, 14, 1400000);
	pmu_samples(run, PMU_ON_LATENCY, 2, MS_NONE, 12, 1000000);
	pmu_samples(run, PMU_ON_LATENCY, 3, PMU_U, 8, 1200000);
	pmu_samples(run, PMU_ON_LATENCY, 4, MS_NONE, 12, 1400000);
}

static void pmu_on_evictions(struct ms_run *run)
{
	pmu_monitor(run,
		    (struct ms_run_pmu){ .event = MS_RUN_PMU_EVICTIONS,
					 .level = 0,
					 .period = 400000,
					 .seed = 1,
					 .cost = 1000,
					 .events = 3990500,
					 .interrupts = 9,
					 .effective = 9,
					 .handler_instructions = 5400,
					 .handler_references = 1350,
					 .cycles = PMU_CLEAN + 9000 + 5400 + 100,
					 .clean_cycles = PMU_CLEAN },
		    4000100, 90, 560110, 20);
	pmu_samples(run, PMU_ON_EVICTIONS, 0, PMU_U, 4, 400000);
	pmu_samples(run, PMU_ON_EVICTIONS, 1, PMU_U, 2, 400000);
	pmu_samples(run, PMU_ON_EVICTIONS, 4, PMU_R, 3, 400000);
}

static void sample_pmu_run(struct ms_run *run)
{
	sample_head(run);
	run->tag = "mg";
	run->program = "./mg";
	run->argv.n = 0;
	SAMPLE_ADD(&run->argv, "./mg");
	run->instructions = 20000000;
	pmu_places(run);
	pmu_cells(run);
	pmu_on_misses(run);
	pmu_monitor(run,
		    (struct ms_run_pmu){ .event = MS_RUN_PMU_MISSES,
					 .level = 1,
					 .period = 1000000,
					 .seed = 1,
					 .cost = 8800,
					 .events = 560100,
					 .cycles = PMU_CLEAN,
					 .clean_cycles = PMU_CLEAN },
		    4000000, 0, 560100, 0);
	pmu_on_latency(run);
	pmu_on_evictions(run);
}

#endif
