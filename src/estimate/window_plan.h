/* estimate/window_plan.h - decides how long and how dense the next windows are (`--sample auto`).
 */
#ifndef MS_ESTIMATE_WINDOW_PLAN_H
#define MS_ESTIMATE_WINDOW_PLAN_H

#include "engine/engine.h"
#include "estimate/windows.h"
#include "machine/machine.h"

struct ms_estimate_plan_input {
	const struct ms_estimate_windows *windows;
	const struct ms_stream_sampling *sampling;
	const struct ms_machine *const *machines;
	size_t machine_count;
	const struct ms_engine *const *engines; /* by machine */
	uint64_t now;                           /* the present plan: ms_wire_pace(); 0: none yet */
};

/* The next plan: ms_wire_pace(). */
uint64_t ms_estimate_plan_windows(const struct ms_estimate_plan_input *input);

#endif
