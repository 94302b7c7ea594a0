/*
 * engine/timing/exposure.h - misses in flight, and which of them the processor waits for.
 *
 * When the processor cannot go on, the time is shared by the misses that are in flight meanwhile,
 * each by the time that it is: each of them alone would have made it wait. What a miss was charged
 * is split when it is complete: first the time of its translation, then the exposed part of its
 * latency.
 */
#ifndef MS_ENGINE_TIMING_EXPOSURE_H
#define MS_ENGINE_TIMING_EXPOSURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "engine/engine_totals.h"

/* The sums of one cell over all observed batches. Times are in ticks. */
struct ms_timing_cell {
	uint32_t site;
	uint32_t data;
	uint64_t walks;
	uint64_t exposed_walks;
	uint64_t waited; /* for bandwidth */
	uint64_t dependences[MS_ENGINE_DEPENDENCES];
};

/* Likewise, of its misses that one level was the last to miss. */
struct ms_timing_level {
	uint64_t misses;
	uint64_t exposed;
	uint64_t prefetched; /* hidden by prefetching */
};

struct ms_timing_sums {
	uint32_t levels;
	struct ms_map index; /* by site and data: of the cell */
	MS_VEC(struct ms_timing_cell) cells;
	MS_VEC(struct ms_timing_level) rows; /* by cell, level */
};

/* A miss in flight. */
struct ms_timing_flight {
	uint64_t begin, end;
	uint64_t charged;
	uint64_t latency, walk; /* parts of its duration */
	uint32_t cell;
	uint32_t level; /* the last one that it missed */
	bool is_store;
	bool is_prefetched;
	bool is_walk;
};

struct ms_timing_exposure {
	struct ms_timing_sums *sums;
	MS_VEC(struct ms_timing_flight) flights; /* those that can still be charged */
	/* Cells of lines that memory transfers in this replay, for loads and for stores. */
	MS_VEC(uint32_t) transfers[2];
};

void ms_timing_open_sums(struct ms_timing_sums *sums, uint32_t levels);
void ms_timing_close_sums(struct ms_timing_sums *sums);
void ms_timing_close_exposure(struct ms_timing_exposure *exposure);
/* The cell's index. */
uint32_t ms_timing_get_cell(struct ms_timing_sums *sums, uint32_t site, uint32_t data);

void ms_timing_begin_flight(struct ms_timing_exposure *exposure,
			    const struct ms_timing_flight *flight);
/*
 * The processor waits in this interval, for loads or for stores. Charges their misses. Returns the
 * time that is charged: the interval from the first miss on.
 */
uint64_t ms_timing_charge(struct ms_timing_exposure *exposure, uint64_t from, uint64_t to,
			  bool stores);
/* The processor waits for the bandwidth of loads or of stores: their transfers share the time. */
void ms_timing_charge_transfers(struct ms_timing_exposure *exposure, uint64_t time, bool stores);
/* Completes all flights. */
void ms_timing_end_flights(struct ms_timing_exposure *exposure);

#endif
