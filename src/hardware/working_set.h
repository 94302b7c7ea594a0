/*
 * hardware/working_set.h - which of a timer's samples are the time of hits.
 *
 * A thread that is stopped after a load has not necessarily missed: a load that hits in the
 * first-level cache takes some cycles, too, and a loop whose iterations depend on each other is
 * found there all the time. Two figures tell the difference: the number of lines that an
 * instruction uses, and the time that its loop needs when all data is in the first-level cache.
 *
 * Samples are added while the program runs. At its end, ms_hardware_subtract_hits() moves the time
 * of hits from references to compute time.
 */
#ifndef MS_HARDWARE_WORKING_SET_H
#define MS_HARDWARE_WORKING_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "decode/decode.h"
#include "machine/machine.h"

struct ms_hardware;

/* What the timer's samples have in addition to those of other sources. */
struct ms_hardware_sample_loop {
	struct ms_decode_loop loop;
	uint32_t thread;
	bool in_order;    /* the reference goes through memory by less than a line at a time, */
	bool strided;     /* or is a load that goes through it by more */
	bool approximate; /* its address is in the same data structure, but on another line */
};

/* The references of one instruction to one data structure. */
struct ms_hardware_use {
	uint32_t site, data;
	uint32_t loop; /* in `loops`; MS_NONE: in none */
	bool in_order, strided, chained;
	bool shared; /* other threads use some of its lines */
	uint64_t samples;
	uint64_t time; /* nanoseconds of them */
	/* At the end: the share of this time that is the time of hits, and what of it was moved. */
	double hits;
	uint64_t moved;
};

/* A line that samples of a use have touched. */
struct ms_hardware_touched {
	uint32_t use;
	uint32_t samples;
	uint64_t line;
};

struct ms_hardware_loop {
	uint32_t instructions, recurrence;
	uint64_t compute; /* nanoseconds of samples that are compute time in any case */
};

/* Time of references of a use in a phase that the program has marked. */
struct ms_hardware_phase_use {
	uint32_t phase, use;
	uint64_t time;
};

struct ms_hardware_working_set {
	struct ms_map use_of;    /* (site, data) */
	struct ms_map line_of;   /* (use, line) to touched */
	struct ms_map loop_of;   /* address */
	struct ms_map thread_of; /* line to the thread that uses it */
	struct ms_map phase_of;  /* (phase, use) */
	MS_VEC(struct ms_hardware_use) uses;
	MS_VEC(struct ms_hardware_touched) touched;
	MS_VEC(struct ms_hardware_loop) loops;
	MS_VEC(struct ms_hardware_phase_use) phases;
};

void ms_hardware_working_set_close(struct ms_hardware_working_set *set);

/* A sample of a reference to `address` (MS_HARDWARE_NO_ADDRESS: not known), or of compute time:
 * data is MS_NONE. */
struct ms_hardware_added_sample {
	uint32_t site, data, phase;
	uint64_t address, time;
};
void ms_hardware_add_to_working_set(struct ms_hardware_working_set *set,
				    const struct ms_hardware_sample_loop *in,
				    const struct ms_hardware_added_sample *sample);

/* How many lines and pages a use refers to; 0: too few samples. */
struct ms_hardware_footprint {
	double hot_lines; /* lines with many samples, */
	double hot_share; /* and the share of samples that they have */
	double lines;     /* the others */
	double pages;
	double set_share[MS_LEVELS_MOST]; /* by level: the part of its sets that they map to */
};
struct ms_hardware_footprint ms_hardware_find_footprint(const struct ms_hardware_touched *touched,
							size_t n, const struct ms_machine *machine);
/* Cycles that a reference to such a footprint waits on average, besides those of a hit. */
double ms_hardware_expected_latency(const struct ms_hardware_footprint *footprint,
				    const struct ms_machine *machine);

/* Moves the time of hits to compute time, in rows and phases. */
void ms_hardware_subtract_hits(struct ms_hardware *hardware, const struct ms_machine *machine);

#endif
