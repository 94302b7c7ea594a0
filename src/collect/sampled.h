/*
 * collect/sampled.h - a run of which only windows, or some sets, were seen: estimates for the whole
 * program, and what is needed to tell how good they are.
 */
#ifndef MS_COLLECT_SAMPLED_H
#define MS_COLLECT_SAMPLED_H

#include "engine/windows.h"
#include "store/run.h"
#include "stream/sampler.h"
#include "stream/wire.h"

struct collector;
struct naming;

/* What windows tell, added up; a figure that one of them does not know is MS_WIRE_NOT_KNOWN. */
struct sampled_sums {
	struct ms_wire_window in;
	struct ms_wire_window out;
};

void ms_sampled_add(struct ms_wire_window *sum, const struct ms_wire_window *more);

/* How many times what was seen the whole program is. */
struct sampled_scale {
	double counts;
	double time;  /* of instructions */
	double total; /* references of the program */
	bool exact;
};

struct sampled_scale ms_sampled_scale(const struct sampled_sums *sums,
				      const struct ms_sampling *sampling, uint64_t seen);

/* The totals become estimates. What was no more than something else stays so, and what added up to
 * something else still does. */
void ms_sampled_stretch(struct collector *collector, const struct ms_machine *machine,
			const struct ms_sampled *sampled, double scale, struct ms_totals *totals);

/* n times the scale, to the nearest. */
uint64_t ms_sampled_times(uint64_t n, double scale);

/* Fills in the run's rows of what was sampled. */
void ms_result_sampled(struct collector *collector, const struct ms_sampled *sampled,
		       const struct sampled_scale *scale, uint64_t seen, struct ms_run *run,
		       struct naming *naming);

#endif
