/*
 * engine/pmu/pmu.h - a performance monitor in the simulated machine, and what it does to the
 * program.
 *
 * Models:   a counter of one kind of event at one level, which interrupts the program when it has
 *           counted a period; registers with the line that was missed, the one that left, the
 *           instruction and how long it waited; the interrupt's cycles; and a handler that takes a
 *           sample, whose references go through the caches that the program uses
 * (interrupt_handler.h). Periods vary around their mean by chance, so that they never beat with the
 * program. Does not: skid: the interrupt comes right behind the reference that made the counter
 * overflow. The counter stands still while the handler runs. One processor.
 *
 * A monitored engine is fed like any other, beside one that is not: together they tell what is
 * true, what the monitor saw of it, and what it cost. It needs all misses in order, and no sure
 * hits, as the handler may have pushed out any line: it has one shard that does all the settling,
 * line by line, and nothing is filtered.
 */
#ifndef MS_ENGINE_PMU_PMU_H
#define MS_ENGINE_PMU_PMU_H

#include <stdint.h>

#include "base/vec.h"
#include "engine/engine.h"

enum ms_pmu_event {
	MS_PMU_MISSES,    /* references that miss the level */
	MS_PMU_EVICTIONS, /* lines that leave the level to make room */
	MS_PMU_LATENCY,   /* cycles waited by references that miss the level */
};

struct ms_pmu_config {
	enum ms_pmu_event event;
	uint32_t level;
	uint64_t period; /* the mean; 0: as long as it has to be for ... */
	double wish;     /* ... this: the monitor's cycles by the program's, at most */
	uint64_t seed;
	uint32_t cost; /* cycles of an interrupt, without what the handler does */
	uint32_t data; /* whose the handler's lines are */
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
	uint32_t victim; /* data, which may be the handler's; MS_PMU_NO_DATA: nothing left */
	uint64_t count;
	uint64_t events;  /* since the sample before, summed up */
	uint64_t latency; /* cycles that the references waited, summed up */
};

struct ms_pmu_totals {
	uint64_t period; /* given, or the last one aimed at */
	uint64_t events; /* counted; all are the program's */
	uint64_t interrupts;
	double effective; /* how many samples of equal weight these are worth */
	uint64_t handler_instructions;
	uint64_t handler_references;
	uint64_t handler_waited;              /* cycles */
	MS_VEC(uint64_t) handler_misses;      /* by level */
	MS_VEC(struct ms_pmu_sample) samples; /* by site, data, victim */
};

/* All batches must be finished. What the program itself did: ms_engine_compute_totals(). */
void ms_pmu_get_totals(const struct ms_engine *engine, struct ms_pmu_totals *totals);
void ms_pmu_free_totals(struct ms_pmu_totals *totals);

#endif
