/* engine/timing/timing_state.h - the state of the timing model of an engine. */
#ifndef MS_ENGINE_TIMING_TIMING_STATE_H
#define MS_ENGINE_TIMING_TIMING_STATE_H

#include "engine/timing/core.h"
#include "engine/timing/observed.h"
#include "engine/timing/replay.h"

/* Observed instructions of a block, and their compute time. */
struct ms_timing_compute {
	uint64_t instructions;
	uint64_t ticks;
};

struct ms_timing {
	bool addresses_only; /* several processors: times are not known */
	unsigned shards;
	unsigned batch_count;
	struct ms_timing_batch *batch; /* by batch index */
	struct ms_timing_config config;
	struct ms_timing_sums sums;
	struct ms_timing_core core;
	struct ms_timing_replay replay;
	MS_VEC(struct ms_timing_compute) compute; /* by block */
	uint32_t window;                          /* with windows: the last one that was seen */
};

#endif
