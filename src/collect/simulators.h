/* collect/simulators.h - the engines that simulate the stream, and the clocks of their threads. */
#ifndef MS_COLLECT_SIMULATORS_H
#define MS_COLLECT_SIMULATORS_H

#include <stddef.h>

#include "collect/clocks.h"
#include "engine/engine.h"

struct collector;

struct ms_collect_simulators {
	/* One for each machine, then one for each monitor; all read the same stream. */
	struct ms_engine **engines;
	size_t engine_count;
	struct ms_clocks **clocks; /* of each engine; NULL where one processor is simulated */
};

/* The machine that an engine simulates. */
const struct ms_machine *ms_collector_machine(const struct collector *collector, size_t engine);
void ms_collector_open_engines(struct collector *collector);
void ms_collector_close_engines(struct collector *collector);

#endif
