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

static MS_UNUSED void sample_joined_run(struct ms_run *run)
{
	sample_core_run(run);
	run->uid = "101bed33445566778899aabbccddeeff";
	run->tag = "joined";
	SAMPLE_ADD(&run->hardware, (struct ms_run_hardware){ .source = MS_RUN_TIMER,
							     .event = "processor time",
							     .unit = MS_RUN_NANOSECONDS,
							     .period = SAMPLE_MS,
							     .overhead = 0.01,
							     .cpu_ns = UINT64_C(1400000000),
							     .threads = 1,
							     .covered = 1 });
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
