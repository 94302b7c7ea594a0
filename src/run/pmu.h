/* run/pmu.h - the results of virtual performance monitors of a run; part of run/run.h. */
#ifndef MS_RUN_PMU_H
#define MS_RUN_PMU_H

#include <stdint.h>

/* What a virtual performance monitor counts; enum_words.h has the words. */
enum ms_run_pmu_event {
	MS_RUN_PMU_MISSES,    /* references that missed its level */
	MS_RUN_PMU_EVICTIONS, /* lines that were evicted from its level */
	MS_RUN_PMU_LATENCY,   /* cycles that references waited */
	MS_RUN_PMU_EVENTS,
};

/*
 * A virtual performance monitor: a second simulation of the same program, disturbed by a counter
 * that overflows and a handler that takes a sample each time. All else in the run is undisturbed.
 */
struct ms_run_pmu {
	uint32_t event;    /* enum ms_run_pmu_event */
	uint32_t level;    /* at which it counts; MS_NONE: all of them (latency only) */
	uint64_t period;   /* mean number of events between samples; adaptive: the last one */
	uint32_t adaptive; /* 1: the period followed `wish`, 0: it was given */
	double wish;       /* adaptive: cycles that it may add, as a share of the program's */
	uint64_t seed;     /* of the variation of periods around their mean */
	uint32_t cost;     /* cycles of one interrupt, without those of the handler */
	uint64_t events;   /* counted: the program's own, in the disturbed simulation */
	uint64_t interrupts;
	double effective; /* (sum of weights)^2 / sum of their squares. The weight of a sample is
			     the events since the previous one. Equal weights: the number of
			     interrupts. */
	uint64_t handler_instructions;
	uint64_t handler_references;
	uint64_t cycles;       /* of the disturbed program, with interrupts and handler */
	uint64_t clean_cycles; /* of the undisturbed one, with the same latencies */
};

/* The effect of a monitor on one level. */
struct ms_run_pmu_level {
	uint32_t pmu;
	uint32_t level;
	uint64_t misses;         /* the program's own, disturbed by the monitor */
	uint64_t monitor_misses; /* the handler's */
};

/* Samples of one cell, by the evicted data. */
struct ms_run_pmu_sample {
	uint32_t pmu;
	uint32_t cell;
	uint32_t victim; /* data; MS_NONE: no line of the program was evicted */
	uint64_t count;
	uint64_t events;  /* that they represent: sum of the events since the previous sample */
	uint64_t latency; /* sum of the cycles that the sampled references waited */
	uint64_t monitor; /* of count, where victim is MS_NONE: a line of the monitor was evicted */
};

#endif
