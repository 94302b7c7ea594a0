/* plan.h - where windows of a sampled program lie: see plan.c. */
#ifndef MS_NATIVE_PLAN_H
#define MS_NATIVE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/wire.h"

struct ms_plan {
	/* Where the next window opens, in references of the program, how long it is, and where its
	 * period ends. */
	uint64_t next, length, period_end;
	uint32_t stratum; /* that windows belong to */
	uint64_t random;
	struct ms_wire_period period; /* while references are counted */
};

void ms_plan_start(struct ms_plan *p);
/* The window of this number, from 0; the program is at `position`. counted: exactly. */
void ms_plan_draw(struct ms_plan *p, uint32_t number, uint64_t position, bool counted);
/* All of the start is seen. */
bool ms_plan_is_head(uint32_t number);
/* All of the program is one window. */
bool ms_plan_is_whole(void);

#endif
