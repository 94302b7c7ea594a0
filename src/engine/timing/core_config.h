/*
 * engine/timing/core_config.h - the figures of the timing model, in ticks.
 *
 * A tick is a fraction of a cycle, so that several instructions per cycle have whole numbers. All
 * arithmetic of the model is on integers: results are the same on every host.
 */
#ifndef MS_ENGINE_TIMING_CORE_CONFIG_H
#define MS_ENGINE_TIMING_CORE_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "wire/operands.h"

struct ms_machine;

enum { MS_TIMING_TICKS = 64 }; /* of a cycle */

/* The time at which a replay starts: what happened before it has smaller times. */
#define MS_TIMING_START (UINT64_C(1) << 40)

/* Properties that differ little between current processors, mostly in cycles. */
enum {
	MS_TIMING_FORWARD_CYCLES = 5,     /* a load of what a store has just written */
	MS_TIMING_LAST_LEVEL_SPEED = 150, /* its bandwidth in percent of the memory's */
	MS_TIMING_DIVIDER_CYCLES = 4,     /* between two divisions */
	MS_TIMING_MISPREDICTION_CYCLES = 12,
};

/* Of two times. */
MS_INLINE uint64_t ms_timing_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

struct ms_timing_config {
	uint32_t levels;
	uint32_t line_shift; /* of the first level */
	uint32_t window;     /* instructions between dispatch and retirement */
	uint32_t dispatch;   /* ticks for one instruction */
	uint32_t outstanding;
	uint32_t store_buffer;
	uint32_t prefetch_distance; /* in misses of a stream; 0: no prefetcher */
	uint64_t prefetch_stride;   /* the largest, in lines */
	bool prefetch_crosses_pages;
	uint32_t streams;
	uint32_t page_shift;
	uint32_t small_page_shift; /* prefetchers do not know huge pages */
	uint32_t tlb_entries;
	uint32_t second_entries;
	uint64_t second_latency;
	uint64_t walk_latency; /* 0: no TLB is modelled */
	uint32_t walks;        /* at the same time */
	/* Bandwidth is that of lines from memory; the last level delivers them somewhat faster. */
	uint32_t transfer_line;  /* bytes of a line from memory */
	uint64_t read_transfer;  /* of one line from memory; 0: unlimited bandwidth */
	uint64_t write_transfer; /* of one line that is stored, with all that a store transfers */
	uint64_t hit;            /* a load that hits the first level */
	uint64_t operations[MS_WIRE_OPERATIONS]; /* from operands to result; loads and stores apart
						  */
	uint64_t *latency;                       /* by number of levels missed, from 1 */
};

void ms_timing_open_config(struct ms_timing_config *config, const struct ms_machine *machine);
void ms_timing_close_config(struct ms_timing_config *config);

#endif
