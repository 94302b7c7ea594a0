/* collect/simulators.h - the engines that simulate the stream, and the clocks of their threads. */
#ifndef MS_COLLECT_SIMULATORS_H
#define MS_COLLECT_SIMULATORS_H

#include <stddef.h>

#include "engine/engine.h"
#include "name/thread_clocks.h"

struct ms_collect_state;

struct ms_collect_simulators {
	/* One for each machine, then one for each monitor; all read the same stream. */
	struct ms_engine **engines;
	size_t engine_count;
	struct ms_name_clocks **clocks; /* of each engine; NULL where one processor is simulated */
};

/* The machine that an engine simulates. */
const struct ms_machine *ms_collect_machine_of(const struct ms_collect_state *collector,
					       size_t engine);
void ms_collect_open_engines(struct ms_collect_state *collector);
void ms_collect_close_engines(struct ms_collect_state *collector);

#endif
