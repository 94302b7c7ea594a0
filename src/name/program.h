/* name/program.h - facts about the program that its stream reports. */
#ifndef MS_NAME_PROGRAM_H
#define MS_NAME_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "bins/binder.h"
#include "wire/wire.h"

/*
 * The memory of one data structure, counted by the first worker. Where the front-end records a
 * sample of the allocations only, the figures are estimates for all of them.
 */
struct ms_name_data_stats {
	double objects;
	double bytes;
	double live;
	double peak;
	uint64_t largest;
	uint64_t recorded; /* objects that were recorded */
};

struct ms_name_phase {
	const char *name;
	uint64_t times;
};

/* A loop in which threads of a sampled program wait for others. */
struct ms_name_spin_loop {
	struct ms_bins_bound_pc pc;
	uint64_t skipped; /* references between windows that were not counted */
};

/* Executions of a block of MPI's libraries, estimated. */
struct ms_name_polling {
	struct ms_bins_bound_pc pc;
	uint64_t references;
	uint64_t repeated; /* of these: with the same addresses as many shortly before */
};

struct ms_name_program {
	MS_VEC(struct ms_name_data_stats) stats; /* by data; written by the first worker */
	MS_VEC(struct ms_name_phase) phases; /* likewise; [0] is the time before the first phase */
	struct ms_names phase_names;
	uint64_t stops; /* how often counting was stopped */
	struct ms_wire_untraced untraced[MS_WIRE_UNTRACED_REASONS];
	uint32_t modules_at_start; /* modules that were loaded before tracing began */
	bool starts_natively;      /* the native front-end begins after the dynamic loader's work */
	MS_VEC(struct ms_name_spin_loop) spin_loops;
	MS_VEC(struct ms_name_polling) polling;
};

#endif
