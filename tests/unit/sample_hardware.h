/*
 * tests/unit/sample_hardware.h - runs that were sampled on the real machine, with known figures.
 *
 * The first resembles Table 3 of the dissertation: loads of equake, one in 2000 of those that
 * waited 32 cycles or more. The second is the same program sampled by a timer, the third its page
 * faults.
 */
#ifndef MS_TESTS_SAMPLE_HARDWARE_H
#define MS_TESTS_SAMPLE_HARDWARE_H

#include "unit/sample_run.h"

enum { HW_MEM_INIT, HW_EXC, HW_STACK, HW_PACK, HW_UNKNOWN };
enum { HW_SMVP_760, HW_SMVP_764, HW_PHI_520, HW_MAIN_300 };

static void hardware_head(struct ms_run *run, const char *tag)
{
	sample_head(run);
	run->tag = tag;
	run->program = "./equake";
	run->frontend = "native";
	run->machine = "Intel(R) Xeon(R) made up";
	run->machine_origin = "the real one";
	run->memory_latency = 0;
	run->instructions = 0;
	run->levels.n = 0;
	run->argv.n = 0;
	SAMPLE_ADD(&run->argv, "./equake");
}

static void hardware_places(struct ms_run *run)
{
	static const char m[] = "/home/u/equake", f[] = "/home/u/src/quake.c";
	static const struct ms_run_line lines[] = {
		{ 0, f, 760, 0, 0 },
		{ 0, f, 764, 0, 0 },
		{ 1, f, 520, 0, 0 },
		{ 2, f, 300, 0, 0 },
	};
	static const struct ms_run_data data[] = {
		{ .name = "mem_init",
		  .full_name = "double.K < mem_init < main",
		  .type = "double",
		  .kind = MS_DATA_HEAP,
		  .objects = 9,
		  .bytes = 1 << 24,
		  .peak_bytes = 1 << 24,
		  .largest = 1 << 22 },
		{ .name = "Exc",
		  .full_name = "Exc (quake.c:30) in equake",
		  .kind = MS_DATA_STATIC,
		  .objects = 1,
		  .bytes = 64,
		  .peak_bytes = 64,
		  .largest = 64 },
		{ .name = "<stack>", .full_name = "<stack>", .kind = MS_DATA_STACK },
		{ .name = "readpackfile",
		  .full_name = "double.Pack < readpackfile < main",
		  .kind = MS_DATA_HEAP,
		  .objects = 2,
		  .bytes = 1 << 20,
		  .peak_bytes = 1 << 20,
		  .largest = 1 << 19 },
		{ .name = "<unmapped>",
		  .full_name = "<unmapped>",
		  .reason = "address is in no mapped region",
		  .kind = MS_DATA_UNKNOWN },
	};

	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "smvp", m, f, 750, 0x1100 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "phi2", m, f, 510, 0x1200 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "main", m, f, 290, 0x1300 });
	for (size_t i = 0; i < MS_COUNT(lines); i++) {
		SAMPLE_ADD(&run->lines, lines[i]);
		SAMPLE_ADD(&run->sites,
			   (struct ms_run_site){ (uint32_t)i, i == 3 ? MS_SITE_WRITE : MS_SITE_READ,
						 8, 0x1110 + i, NULL });
	}
	for (size_t i = 0; i < MS_COUNT(data); i++)
		SAMPLE_ADD(&run->data, data[i]);
}

struct hardware_row {
	uint32_t site, data, answer, sureness, samples;
	uint64_t latency; /* of one */
};

static void hardware_latency(struct ms_run *run, uint32_t cell, const struct hardware_row *r)
{
	struct ms_run_hardware_latency *last = NULL;
	uint32_t bucket = r->latency > 0 ? (uint32_t)(63 - __builtin_clzll(r->latency)) : 0;

	if (run->hardware_latencies.n > 0)
		last = &run->hardware_latencies.at[run->hardware_latencies.n - 1];
	if (last != NULL && last->cell == cell && last->bucket == bucket)
		last->samples += r->samples;
	else
		SAMPLE_ADD(&run->hardware_latencies,
			   (struct ms_run_hardware_latency){ cell, bucket, r->samples });
}

/* Each sample stands for `events` that waited as long. */
static void hardware_add(struct ms_run *run, const struct hardware_row *rows, size_t n,
			 uint64_t events)
{
	for (size_t i = 0; i < n; i++) {
		const struct hardware_row *r = &rows[i];
		bool same = i > 0 && rows[i - 1].site == r->site && rows[i - 1].data == r->data;
		double latency = (double)(events * r->latency);

		if (!same)
			SAMPLE_ADD(&run->cells,
				   (struct ms_run_cell){ .site = r->site, .data = r->data });
		uint32_t cell = (uint32_t)run->cells.n - 1;
		SAMPLE_ADD(&run->hardware_samples,
			   (struct ms_run_hardware_sample){ cell, r->answer, r->sureness,
							    r->samples, r->samples * events,
							    r->samples * (double)(events * events),
							    r->samples * events * r->latency,
							    r->samples * latency * latency });
		if (run->hardware.at[0].unit == MS_RUN_CYCLES)
			hardware_latency(run, cell, r);
		run->hardware.at[0].samples += r->samples;
	}
}

static MS_UNUSED void sample_hardware_run(struct ms_run *run)
{
	static const struct hardware_row rows[] = {
		{ HW_SMVP_760, HW_MEM_INIT, MS_ANSWER_L3, MS_SURE_EXACT, 400, 60 },
		{ HW_SMVP_760, HW_MEM_INIT, MS_ANSWER_LOCAL, MS_SURE_EXACT, 600, 300 },
		{ HW_SMVP_764, HW_EXC, MS_ANSWER_L2, MS_SURE_EXACT, 80, 14 },
		{ HW_SMVP_764, HW_STACK, MS_ANSWER_L1, MS_SURE_EXACT, 50, 9 },
		{ HW_PHI_520, HW_PACK, MS_ANSWER_REMOTE, MS_SURE_EXACT, 4, 700 },
		{ HW_MAIN_300, HW_UNKNOWN, MS_ANSWER_L1, MS_SURE_EXACT, 16, 9 },
	};

	hardware_head(run, "pebs");
	SAMPLE_ADD(&run->hardware,
		   (struct ms_run_hardware){ .source = MS_RUN_PEBS,
					     .event = "MEM_TRANS_RETIRED:LOAD_LATENCY_GT_32",
					     .unit = MS_RUN_CYCLES,
					     .period = 2000,
					     .adaptive = 1,
					     .wish = 0.01,
					     .overhead = 0.004,
					     .throttled = 1,
					     .cpu_ns = UINT64_C(8000000000),
					     .threads = 3,
					     .covered = 1 });
	hardware_places(run);
	hardware_add(run, rows, MS_COUNT(rows), 2000);
	SAMPLE_ADD(&run->hardware_losses,
		   (struct ms_run_hardware_loss){ "the kernel's buffer was full", 25, 0 });
	run->hardware.at[0].samples += 25;
}

static MS_UNUSED void sample_timer_run(struct ms_run *run)
{
	static const struct hardware_row rows[] = {
		{ HW_SMVP_760, HW_MEM_INIT, MS_ANSWER_UNKNOWN, MS_SURE_EXACT, 500, 1000000 },
		{ HW_SMVP_760, HW_MEM_INIT, MS_ANSWER_UNKNOWN, MS_SURE_LEARNT, 100, 1000000 },
		{ HW_SMVP_764, HW_EXC, MS_ANSWER_UNKNOWN, MS_SURE_GUESSED, 20, 1000000 },
		{ HW_PHI_520, HW_UNKNOWN, MS_ANSWER_UNKNOWN, MS_SURE_EXACT, 5, 1000000 },
	};

	hardware_head(run, "timer");
	SAMPLE_ADD(&run->hardware, (struct ms_run_hardware){ .source = MS_RUN_TIMER,
							     .event = "thread-cpu-time",
							     .unit = MS_RUN_NANOSECONDS,
							     .period = 1e6,
							     .overhead = 0.006,
							     .cpu_ns = UINT64_C(1000000000),
							     .threads = 1,
							     .covered = 1 });
	hardware_places(run);
	hardware_add(run, rows, MS_COUNT(rows), 1);
	SAMPLE_ADD(&run->hardware_computes,
		   (struct ms_run_hardware_compute){ HW_SMVP_764, 300, 300000000, 300e12 });
	SAMPLE_ADD(&run->hardware_computes,
		   (struct ms_run_hardware_compute){ HW_PHI_520, 70, 70000000, 70e12 });
	SAMPLE_ADD(&run->hardware_losses,
		   (struct ms_run_hardware_loss){ "in the kernel", 5, 5000000 });
	run->hardware.at[0].samples += 375;
}

static MS_UNUSED void sample_faults_run(struct ms_run *run)
{
	static const struct hardware_row rows[] = {
		{ HW_SMVP_760, HW_MEM_INIT, MS_ANSWER_UNKNOWN, MS_SURE_EXACT, 4096, 0 },
		{ HW_PHI_520, HW_PACK, MS_ANSWER_UNKNOWN, MS_SURE_EXACT, 256, 0 },
		{ HW_MAIN_300, HW_STACK, MS_ANSWER_UNKNOWN, MS_SURE_EXACT, 3, 0 },
	};

	hardware_head(run, "faults");
	SAMPLE_ADD(&run->hardware, (struct ms_run_hardware){ .source = MS_RUN_FAULTS,
							     .event = "page-faults",
							     .unit = MS_RUN_NO_UNIT,
							     .period = 1,
							     .overhead = -1,
							     .cpu_ns = UINT64_C(1000000000),
							     .threads = 1,
							     .covered = 1 });
	hardware_places(run);
	for (size_t i = 0; i < run->sites.n; i++)
		run->sites.at[i].kind = MS_SITE_ACCESS;
	hardware_add(run, rows, MS_COUNT(rows), 1);
}

#endif
