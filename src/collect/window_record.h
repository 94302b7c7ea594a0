/* collect/window_record.h - what the stream reports about the windows of a sampled program. */
#ifndef MS_COLLECT_WINDOW_RECORD_H
#define MS_COLLECT_WINDOW_RECORD_H

#include "base/vec.h"
#include "bins/binder.h"
#include "collect/sampled.h"

/* A loop in which threads wait for others (wait_loops.c). */
struct wait_loop {
	struct ms_bins_bound_pc pc;
	uint64_t skipped; /* references between windows that were not counted */
	uint64_t outside; /* references of its block between windows, counted or not */
};

struct ms_estimate_windows {
	struct sampled_sums strata[MS_WIRE_STRATA_MOST];
	uint32_t stratum;     /* of the present windows */
	uint64_t heap_blocks; /* allocated since a window was last opened or closed */
	struct sampled_together concurrency;
	MS_VEC(uint64_t) outside; /* by exit: executions in no window; empty: not recorded */
	MS_VEC(struct wait_loop) wait_loops;
	bool has_threads; /* more than the first */
};

#endif
