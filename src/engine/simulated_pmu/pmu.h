/*
 * engine/simulated_pmu/pmu.h - a performance monitor in the simulated machine, and its effect on
 * the program.
 *
 *   Models:   a counter of one kind of event at one level, which interrupts the program after each
 *             period; registers with the line that missed, the line that was evicted, the
 *             instruction and its latency; the cycles of the interrupt; and a handler that takes a
 *             sample, whose references go through the program's caches (interrupt_handler.h).
 *             Periods vary at random around their mean, so that they do not resonate with the
 *             program's loops.
 *   Does not: skid: the interrupt comes immediately after the reference that made the counter
 *             overflow. The counter stops while the handler runs. One processor only.
 *
 * A monitored engine gets the same records as an engine without a monitor that runs next to it.
 * The two show the true counts, the counts that the monitor estimates, and the cost of the
 * monitor. A monitored engine needs all misses in order. It has no guaranteed hits, because the
 * handler may evict any line. Therefore one shard simulates all accesses, line by line, and no
 * filter is used.
 */
#ifndef MS_ENGINE_SIMULATED_PMU_PMU_H
#define MS_ENGINE_SIMULATED_PMU_PMU_H

#include <stdint.h>

#include "base/vec.h"
#include "engine/engine.h"

enum ms_pmu_event {
	MS_PMU_MISSES,    /* references that miss the level */
	MS_PMU_EVICTIONS, /* lines that are evicted from the level */
	MS_PMU_LATENCY,   /* cycles that references that miss the level wait */
};

struct ms_pmu_config {
	enum ms_pmu_event event;
	uint32_t level;
	uint64_t period; /* mean; 0: chosen such that `wish` holds */
	double wish;     /* largest ratio of the monitor's cycles to the program's */
	uint64_t seed;
	uint32_t cost; /* cycles of an interrupt, without the handler */
	uint32_t data; /* the data of the handler's own lines */
};

enum { MS_PMU_INTERRUPT_CYCLES = 8800 };
#define MS_PMU_MAX_PERIOD (UINT64_C(1) << 40)

struct ms_engine *ms_pmu_open_engine(const struct ms_machine *machine, unsigned shards,
				     unsigned batch_count,
				     const struct ms_engine_fallback_data *data,
				     const struct ms_pmu_config *pmu);

#define MS_PMU_NO_DATA UINT32_MAX

struct ms_pmu_sample {
	uint32_t site;
	uint32_t data;
	uint32_t victim; /* data, which may be the handler's; MS_PMU_NO_DATA: no eviction */
	uint64_t count;
	uint64_t events;  /* sum of the events since the sample before */
	uint64_t latency; /* sum of the cycles that the references waited */
};

struct ms_pmu_totals {
	uint64_t period; /* as configured, or the last one chosen */
	uint64_t events; /* all events of the program */
	uint64_t interrupts;
	double effective; /* number of samples of equal weight with the same precision */
	uint64_t handler_instructions;
	uint64_t handler_references;
	uint64_t handler_waited;              /* cycles */
	MS_VEC(uint64_t) handler_misses;      /* by level */
	MS_VEC(struct ms_pmu_sample) samples; /* by site, data, victim */
};

/* Call it when all batches are finished. ms_engine_compute_totals() returns the program's own
 * counts. */
void ms_pmu_get_totals(const struct ms_engine *engine, struct ms_pmu_totals *totals);
void ms_pmu_free_totals(struct ms_pmu_totals *totals);

#endif
