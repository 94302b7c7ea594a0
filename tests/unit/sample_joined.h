/*
 * tests/unit/sample_joined.h - the run of sample_core.h with samples of a timer beside it, of one
 * millisecond each, so that measured times are known.
 *
 * Simulated, Y waits for most of the time, and Z for little. Measured, Z waits for 600 ms, Y for
 * 300 ms, and a cell that was not simulated for 50 ms; 400 ms are compute time.
 */
#ifndef MS_TESTS_SAMPLE_JOINED_H
#define MS_TESTS_SAMPLE_JOINED_H

#include "unit/sample_core.h"

enum { SAMPLE_MS = 1000000 };

static void sample_measure(struct ms_run *run, uint32_t cell, uint64_t samples)
{
	const double each = SAMPLE_MS;

	SAMPLE_ADD(&run->hardware_samples,
		   (struct ms_run_hardware_sample){ .cell = cell,
						    .sureness = MS_SURE_EXACT,
						    .samples = samples,
						    .events = samples,
						    .events_squares = (double)samples,
						    .latency = samples * SAMPLE_MS,
						    .latency_squares =
							    (double)samples * each * each });
	run->hardware.at[0].samples += samples;
}

static void sample_measure_compute(struct ms_run *run, uint32_t line, uint64_t samples)
{
	SAMPLE_ADD(&run->hardware_computes,
		   (struct ms_run_hardware_compute){ line, samples, samples * SAMPLE_MS,
						     (double)samples * SAMPLE_MS * SAMPLE_MS });
	run->hardware.at[0].samples += samples;
}

/* The first cell of a data structure. */
static uint32_t sample_cell_of(const struct ms_run *run, uint32_t data)
{
	uint32_t cell = 0;

	while (run->cells.at[cell].data != data)
		cell++;
	return cell;
}

static void sample_timer(struct ms_run *run)
{
	SAMPLE_ADD(&run->hardware, (struct ms_run_hardware){ .source = MS_RUN_TIMER,
							     .event = "processor time",
							     .unit = MS_RUN_NANOSECONDS,
							     .period = SAMPLE_MS,
							     .overhead = 0.01,
							     .cpu_ns = UINT64_C(1400000000),
							     .threads = 1,
							     .covered = 1 });
}

/* The run of sample_core.h, which is joined with the next one. */
static MS_UNUSED void sample_simulated_part(struct ms_run *run)
{
	sample_core_run(run);
	run->build_id = "b01d";
}

static void sample_frames(struct ms_run *run, const struct ms_run *all, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < all->frames.n; i++)
		if (all->frames.at[i].data == from) {
			SAMPLE_ADD(&run->frames, all->frames.at[i]);
			run->frames.at[run->frames.n - 1].data = to;
		}
}

/* Samples of the same build alone. It numbers sites, lines and data in another order. */
static MS_UNUSED void sample_measured_part(struct ms_run *run)
{
	static const char m[] = "/home/u/matmul", f[] = "/home/u/src/matmul.c";
	struct ms_run all;

	sample_run(&all);
	sample_head(run);
	run->levels.n = 0;
	run->uid = "5a3b1e33445566778899aabbccddeeff";
	run->tag = "timer";
	run->started = "2026-11-15T10:32:02Z";
	run->frontend = "native";
	run->build_id = "b01d";
	run->memory_latency = 0;
	run->instructions = 0;
	sample_timer(run);
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "<kernel>", "", NULL, 0, 0 });
	SAMPLE_ADD(&run->codes, (struct ms_run_code){ "BlkMultiply", m, f, 20, 0x1180 });
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = 0 });
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = 1, .file = f, .line = 31 });
	SAMPLE_ADD(&run->lines, (struct ms_run_line){ .code = 1, .file = f, .line = 33 });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 1, MS_SITE_READ, 8, 0x11a8, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 1, MS_SITE_READ, 8, 0x11a0, NULL });
	SAMPLE_ADD(&run->sites, (struct ms_run_site){ 0, MS_SITE_ACCESS, 0, 0, NULL });
	SAMPLE_ADD(&run->data, all.data.at[SAMPLE_COUNTER]);
	SAMPLE_ADD(&run->data, all.data.at[SAMPLE_Z]);
	SAMPLE_ADD(&run->data, all.data.at[SAMPLE_Y]);
	SAMPLE_ADD(&run->data, (struct ms_run_data){ .name = "<page faults>",
						     .full_name = "<page faults>",
						     .kind = MS_DATA_SECTION });
	sample_frames(run, &all, SAMPLE_Z, 1);
	sample_frames(run, &all, SAMPLE_Y, 2);
	SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .site = 0, .data = 1 });
	SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .site = 1, .data = 0 });
	SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .site = 1, .data = 2 });
	SAMPLE_ADD(&run->cells, (struct ms_run_cell){ .site = 2, .data = 3 });
	sample_measure(run, 0, 600);
	sample_measure(run, 1, 50);
	sample_measure(run, 2, 300);
	sample_measure(run, 3, 40);
	sample_measure_compute(run, 1, 400);
	sample_measure_compute(run, 2, 10);
	SAMPLE_ADD(&run->hardware_losses,
		   (struct ms_run_hardware_loss){ "memspy was executing", 3, 3 * SAMPLE_MS });
	run->hardware.at[0].samples += 3;
	ms_arena_join(&run->arena, &all.arena); /* has the names of data */
	ms_run_free(&all);
}

static MS_UNUSED void sample_joined_run(struct ms_run *run)
{
	sample_core_run(run);
	run->uid = "101bed33445566778899aabbccddeeff";
	run->tag = "joined";
	sample_timer(run);
	SAMPLE_ADD(&run->origins, (struct ms_run_origin){ MS_RUN_SIMULATED_PART,
							  "c0de2233445566778899aabbccddeeff",
							  "before", "2026-11-15T10:31:02Z" });
	SAMPLE_ADD(&run->origins,
		   (struct ms_run_origin){ MS_RUN_MEASURED_PART, "5a3b1e33445566778899aabbccddeeff",
					   NULL, "2026-11-15T10:32:02Z" });
	/* The counter was not simulated at this instruction. */
	SAMPLE_ADD(&run->cells,
		   (struct ms_run_cell){ .site = run->cells.at[0].site, .data = SAMPLE_COUNTER });
	sample_measure(run, sample_cell_of(run, SAMPLE_Y), 300);
	sample_measure(run, sample_cell_of(run, SAMPLE_Z), 600);
	sample_measure(run, (uint32_t)run->cells.n - 1, 50);
	sample_measure_compute(run, 1, 400);
}

#endif
