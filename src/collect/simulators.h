/* collect/simulators.h - the engines that simulate the stream, and the clocks of their threads. */
#ifndef MS_COLLECT_SIMULATORS_H
#define MS_COLLECT_SIMULATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/chunk_counter.h"
#include "engine/engine.h"
#include "name/thread_clocks.h"

struct ms_collect_state;
struct ms_run;

struct ms_collect_simulators {
	/* One for each machine, then one for each monitor; all read the same stream. */
	struct ms_engine **engines;
	size_t engine_count;
	struct ms_name_clocks **clocks; /* of each engine; NULL where one processor is simulated */
	/* Where processors are added with the program's first thread: add_processors.c. */
	uint64_t first_merged; /* the first chunk of several threads, plus 1; 0: none yet */
	struct ms_collect_counter added; /* 1 when the engine has several processors */
	uint64_t instructions;           /* executed before that */
};

/* Whether chunk k is the first one of several threads, and processors are added for them. */
bool ms_collect_needs_processors(const struct ms_collect_state *collector, uint32_t k);
/* Adds them. All earlier chunks are simulated, and no worker processes a later one. */
void ms_collect_add_processors(struct ms_collect_state *collector);
/* The machine whose processors the run has so far. */
const struct ms_machine *ms_collect_simulated_machine(const struct ms_collect_state *collector,
						      size_t machine);
/* Completes the description of a run for which the user has left the number of processors to
 * memspy. */
void ms_collect_describe_processors(const struct ms_collect_state *collector, struct ms_run *run);

/* The machine that an engine simulates. */
const struct ms_machine *ms_collect_machine_of(const struct ms_collect_state *collector,
					       size_t engine);
void ms_collect_open_engines(struct ms_collect_state *collector);
void ms_collect_close_engines(struct ms_collect_state *collector);

#endif
