/* run/pmu.h - what virtual performance monitors have seen of a run; part of run/run.h. */
#ifndef MS_RUN_PMU_H
#define MS_RUN_PMU_H

#include <stdint.h>

/* What a virtual performance monitor counts; store.h has the words. */
enum ms_run_pmu_event {
	MS_RUN_PMU_MISSES,    /* references that missed its level */
	MS_RUN_PMU_EVICTIONS, /* lines that left its level to make room */
	MS_RUN_PMU_LATENCY,   /* cycles that references waited */
	MS_RUN_PMU_EVENTS,
};

/*
 * A virtual performance monitor: a second simulation of the same program, disturbed by a counter
 * that overflows and a handler that takes a sample each time. All else in the run is undisturbed.
 */
struct ms_run_pmu {
	uint32_t event;    /* enum ms_run_pmu_event */
	uint32_t level;    /* that it counts at; MS_NONE: all of them (latency only) */
	uint64_t period;   /* mean number of events between samples; adaptive: what it ended with */
	uint32_t adaptive; /* 1: the period followed the wish, 0: it was given */
	double wish;       /* adaptive: cycles that it may add, as a share of the program's own */
	uint64_t seed;     /* of how periods vary around their mean */
	uint32_t cost;     /* cycles of one interrupt, without what the handler itself does */
	uint64_t events;   /* counted: the program's own, in the disturbed simulation */
	uint64_t interrupts;
	double effective; /* (sum of weights)^2 / sum of their squares, a sample weighing the events
			     since the one before: interrupts, where all weigh the same */
	uint64_t handler_instructions;
	uint64_t handler_references;
	uint64_t cycles;       /* of the disturbed program, with interrupts and handler */
	uint64_t clean_cycles; /* of the undisturbed one, with the same latencies */
};

/* What a monitor did to one level. */
struct ms_run_pmu_level {
	uint32_t pmu;
	uint32_t level;
	uint64_t misses;         /* the program's own, with the monitor in its way */
	uint64_t monitor_misses; /* the handler's */
};

/* Samples of one cell, by the data that had to leave. */
struct ms_run_pmu_sample {
	uint32_t pmu;
	uint32_t cell;
	uint32_t victim; /* data; MS_NONE: nothing of the program's had to leave */
	uint64_t count;
	uint64_t events;  /* that they stand for: those since the sample before, summed up */
	uint64_t latency; /* cycles that the sampled references waited, summed up */
	uint64_t monitor; /* of count, where victim is MS_NONE: a line of the monitor's left */
};

#endif
