/*
 * tests/unit/sample_core.h - the run of sample_run.h as an out-of-order core executes it, with
 * known parts: Y is a pointer chain and hides little, Z is prefetched and waits for bandwidth, X is
 * a gather whose misses overlap and walk page tables.
 */
#ifndef MS_TESTS_SAMPLE_CORE_H
#define MS_TESTS_SAMPLE_CORE_H

#include "unit/sample_run.h"

enum { SAMPLE_IPC = 4, SAMPLE_WALK = 40, SAMPLE_BYTES_PER_CYCLE = 8 };

/* In 1/16 of the misses that missed no further level. */
struct sample_exposure {
	enum ms_run_dependence dependence;
	uint64_t exposed, prefetched;
	uint64_t walks; /* of which half is exposed */
	uint64_t waited_bytes;
};

static const struct sample_exposure sample_exposures[] = {
	[SAMPLE_Y] = { MS_RUN_DEPENDENCE_CHAINED, 12, 0, 40000, 0 },
	[SAMPLE_Z] = { MS_RUN_DEPENDENCE_AFFINE, 1, 14, 0, 1280000 },
	[SAMPLE_X] = { MS_RUN_DEPENDENCE_LED, 2, 0, 1000, 0 },
	[SAMPLE_STACK] = { MS_RUN_DEPENDENCE_AFFINE, 0, 0, 0, 0 },
	[SAMPLE_FREED] = { MS_RUN_DEPENDENCE_UNKNOWN, 8, 4, 0, 0 },
	[SAMPLE_COUNTER] = { MS_RUN_DEPENDENCE_UNKNOWN, 0, 0, 0, 0 },
};

static uint64_t sample_all_causes(const struct ms_run_miss *miss)
{
	return miss->causes[MS_CAUSE_FIRST] + miss->causes[MS_CAUSE_REPLACED] +
	       miss->causes[MS_CAUSE_INVALIDATED];
}

static void sample_expose(struct ms_run *run, const struct sample_exposure *exposures)
{
	for (size_t i = 0; i < run->misses.n; i++) {
		struct ms_run_miss *miss = &run->misses.at[i], *next = miss + 1;
		struct ms_run_cell *cell = &run->cells.at[miss->cell];
		const struct sample_exposure *e = &exposures[cell->data];
		bool further = i + 1 < run->misses.n && next->cell == miss->cell;
		uint64_t answered =
			sample_all_causes(miss) - (further ? sample_all_causes(next) : 0);

		miss->exposed = answered * MS_RUN_MISS_UNIT / 16 * e->exposed;
		miss->prefetched = answered * MS_RUN_MISS_UNIT / 16 * e->prefetched;
		if (miss->level > 0)
			continue;
		cell->dependences[e->dependence] = sample_all_causes(miss);
		cell->walks = e->walks;
		cell->exposed_walks = e->walks * MS_RUN_MISS_UNIT / 2;
		cell->waited_bytes = e->waited_bytes;
	}
}

/* 3/4 of the replacement misses are capacity misses, 1/8 are conflicts, and 1/8 is ambiguous. */
static void sample_divide(struct ms_run *run)
{
	run->division = MS_RUN_BOUNDS;
	run->observed_part = 0.25;
	for (size_t i = 0; i < run->misses.n; i++) {
		struct ms_run_miss *miss = &run->misses.at[i];

		miss->capacity = miss->causes[MS_CAUSE_REPLACED] / 4 * 3;
		miss->conflict = miss->causes[MS_CAUSE_REPLACED] / 8;
		miss->saved = miss->level == 0 ? 1000 : 0;
	}
	SAMPLE_ADD(&run->set_misses, (struct ms_run_set_miss){ SAMPLE_Y, 0, 0, 1000000, 950000 });
	SAMPLE_ADD(&run->set_misses, (struct ms_run_set_miss){ SAMPLE_Y, 0, 63, 7000000, 6900000 });
	SAMPLE_ADD(&run->set_misses, (struct ms_run_set_miss){ SAMPLE_X, 1, 5, 1300, 100 });
	SAMPLE_ADD(&run->optimal, (struct ms_run_optimal){ SAMPLE_Y, 0, 4.5e6, 4.2e6, 4.8e6, 90000,
							   85000, 95000 });
	SAMPLE_ADD(&run->optimal, (struct ms_run_optimal){ SAMPLE_Y, 1, 120000, 100000, 140000,
							   90000, 85000, 95000 });
}

static MS_UNUSED void sample_core_run(struct ms_run *run)
{
	sample_run(run);
	run->uid = "c0de2233445566778899aabbccddeeff";
	run->tag = "before";
	run->core = MS_RUN_OUT_OF_ORDER;
	run->ipc_milli = SAMPLE_IPC * 1000;
	run->clock_mhz = 2000;
	run->walk_latency = SAMPLE_WALK;
	run->bandwidth_milli = SAMPLE_BYTES_PER_CYCLE * 1000;
	for (size_t i = 0; i < run->lines.n; i++) {
		run->lines.at[i].cycles = run->lines.at[i].instructions / SAMPLE_IPC;
		run->compute_cycles += run->lines.at[i].cycles;
	}
	sample_expose(run, sample_exposures);
	sample_divide(run);
}

/* The same program after Y was blocked: a third of its misses of L1 is left, as a gather. */
static MS_UNUSED void sample_faster_core_run(struct ms_run *run)
{
	struct sample_exposure after[MS_COUNT(sample_exposures)];

	sample_core_run(run);
	run->uid = "c0de2233445566778899aabbccddee00";
	run->tag = "after";
	memcpy(after, sample_exposures, sizeof(after));
	after[SAMPLE_Y] = (struct sample_exposure){ MS_RUN_DEPENDENCE_LED, 2, 0, 4000, 0 };
	run->misses.at[0].causes[MS_CAUSE_REPLACED] = 2900000;
	run->misses.at[0].capacity = 2175000;
	run->misses.at[0].conflict = 362500;
	run->replaced.at[0].count = 2030000;
	memset(run->cells.at[0].dependences, 0, sizeof(run->cells.at[0].dependences));
	sample_expose(run, after);
}

#endif
