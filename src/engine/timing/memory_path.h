/*
 * engine/timing/memory_path.h - when the data of an access arrives.
 *
 * A miss needs a translation and one of a limited number of miss registers. A line that was
 * prefetched has been requested earlier.
 *
 * A replay is too short to show whether lines pile up in front of the memory. So its bandwidth is
 * applied at the end: if all transfers of the replay take longer than the replay, the processor
 * waits for the difference, which all lines from memory share. Loads and stores are transferred at
 * the same time.
 */
#ifndef MS_ENGINE_TIMING_MEMORY_PATH_H
#define MS_ENGINE_TIMING_MEMORY_PATH_H

#include "engine/timing/core_config.h"
#include "engine/timing/exposure.h"
#include "engine/timing/shared_resource.h"
#include "engine/timing/stride_prefetcher.h"
#include "engine/timing/tlb.h"

/* Lines that are on their way: an access to one of them waits, too, though it counts as a hit. */
enum { MS_TIMING_ARRIVALS = 256 };

struct ms_timing_arrival {
	uint64_t line;
	uint64_t at;
};

struct ms_timing_path {
	const struct ms_timing_config *config;
	struct ms_timing_exposure exposure;
	struct ms_timing_prefetcher prefetcher;
	struct ms_timing_tlb tlb;
	struct ms_timing_arrival arrivals[MS_TIMING_ARRIVALS]; /* by line, hashed */
	uint64_t *registers;                                   /* when each miss register is free */
	struct ms_timing_resource walkers;
	/* Ticks that memory needs for all lines of this replay: those of loads, of stores. */
	uint64_t transferred[2];
};

struct ms_timing_access {
	uint64_t line;
	uint64_t start; /* the address is known */
	bool is_store;
	uint32_t site;
	uint32_t missed; /* levels; 0: it hits the first one */
	uint32_t cell;   /* of a miss */
};

void ms_timing_open_path(struct ms_timing_path *path, const struct ms_timing_config *config,
			 struct ms_timing_sums *sums);
void ms_timing_close_path(struct ms_timing_path *path);
/* Another batch is replayed, from time 0 on. */
void ms_timing_restart_path(struct ms_timing_path *path);
/* The replay has taken this time. Returns how much longer it takes because of the bandwidth. */
uint64_t ms_timing_apply_bandwidth(struct ms_timing_path *path, uint64_t duration);
/* Returns when the line is in the first level. */
uint64_t ms_timing_access_line(struct ms_timing_path *path, const struct ms_timing_access *access);

#endif
