/* estimate/windows.h - what the stream reports about the windows of a sampled program. */
#ifndef MS_ESTIMATE_WINDOWS_H
#define MS_ESTIMATE_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "estimate/between_windows.h"
#include "estimate/concurrency.h"
#include "stream/window_sampler.h"
#include "wire/wire.h"

/* Sums over the windows of a stratum; a figure that one of them lacks is MS_WIRE_NOT_KNOWN. */
struct ms_estimate_sums {
	struct ms_wire_window in;
	struct ms_wire_window out;
	/* References of `out` that were counted, where not all were; and whether those before the
	 * last window were. */
	uint64_t counted;
	bool counts;
	MS_VEC(struct ms_estimate_gap) gaps; /* whose references were not all counted */
	bool open;                           /* the last window has not ended */
	uint64_t window, period; /* as recorded when the stratum began; 0: as at the start */
};

struct ms_estimate_windows {
	struct ms_estimate_sums strata[MS_WIRE_STRATA_MOST];
	uint32_t stratum;     /* of the present windows */
	uint32_t closed;      /* windows whose end has been read from the stream */
	uint64_t heap_blocks; /* allocated since a window was last opened or closed */
	struct ms_estimate_concurrency concurrency;
	MS_VEC(uint64_t) outside; /* by exit: executions in no window; empty: not recorded */
	/* References between windows of loops in which threads wait for others: those that were not
	 * counted; those of the loops' blocks, counted or not. */
	uint64_t wait_skipped, wait_outside;
	bool has_threads; /* more than the first */
};

void ms_estimate_free_windows(struct ms_estimate_windows *windows);

/* Adds a window; a figure that one of the two lacks is MS_WIRE_NOT_KNOWN. */
void ms_estimate_add_window(struct ms_wire_window *sum, const struct ms_wire_window *more);

/*
 * Of the program's references, of which it has `total`, the share that it made while it ran
 * natively, where a timer may take samples; and that with the windows between them, whose time
 * these samples represent, too. Neither includes references that were counted between windows, nor
 * the first window of a program whose start is traced (head). Both are above 0, and at most 1.
 */
struct ms_estimate_covered {
	double native, sampled;
};
struct ms_estimate_covered ms_estimate_covered(const struct ms_estimate_windows *windows, bool head,
					       double total);

/* With sampled sets, a front-end may not report the number of references: whether it did not, and
 * adds it, as counted by block exits. */
bool ms_estimate_lacks_refs(const struct ms_estimate_windows *windows,
			    const struct ms_stream_sampling *sampling);
void ms_estimate_set_refs(struct ms_estimate_windows *windows,
			  const struct ms_stream_sampling *sampling, uint64_t refs);

#endif
