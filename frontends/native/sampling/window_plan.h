/* window_plan.h - positions and lengths of the windows of a sampled program: see window_plan.c. */
#ifndef MS_NATIVE_SAMPLING_WINDOW_PLAN_H
#define MS_NATIVE_SAMPLING_WINDOW_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/wire.h"

struct ms_sampling_window_plan {
	/* Where the next window opens, in references of the program; its length; and where its
	 * period ends. */
	uint64_t next, length, period_end;
	uint32_t stratum; /* of the windows */
	uint64_t random;
	struct ms_wire_period period; /* during the counted start */
};

void ms_sampling_start_window_plan(struct ms_sampling_window_plan *p);
/* Draws the window of this number, from 0; `position` is the progress of the program, exact if
 * `counted`. */
void ms_sampling_draw_next_window(struct ms_sampling_window_plan *p, uint32_t number,
				  uint64_t position, bool counted);
/* Whether this window is the traced start of the program. */
bool ms_sampling_is_head_window(uint32_t number);

#endif
