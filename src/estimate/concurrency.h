/* estimate/concurrency.h - whether threads are in windows at the same time. */
#ifndef MS_ESTIMATE_CONCURRENCY_H
#define MS_ESTIMATE_CONCURRENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/*
 * Concurrency in windows: how many references a thread made while no other thread was in a window.
 * Only threads count that have run in an earlier window and have not ended since. With the native
 * tracer this may be chance: another program ran on their processor, or they finished sooner.
 */
struct ms_estimate_concurrency {
	MS_VEC(struct ms_estimate_thread) threads; /* by number */
	double alone, references;
};

struct ms_estimate_thread {
	uint64_t clock; /* instructions at its last clock record ... */
	uint64_t in;    /* ... and in this window */
	bool runs;
};

/* Events: the thread has executed so many instructions; it has ended; the window has closed. */
void ms_estimate_add_clock(struct ms_estimate_concurrency *together, uint32_t thread,
			   uint64_t instructions);
void ms_estimate_end_thread(struct ms_estimate_concurrency *together, uint32_t thread);
void ms_estimate_close_window(struct ms_estimate_concurrency *together, uint64_t references);

#endif
