/*
 * engine/timing/memory_path.h - when the data of an access arrives.
 *
 * A miss needs a translation, one of a limited number of miss registers, and for data from memory a
 * part of the bandwidth. A line that was prefetched has been requested earlier.
 */
#ifndef MS_ENGINE_TIMING_MEMORY_PATH_H
#define MS_ENGINE_TIMING_MEMORY_PATH_H

#include "engine/timing/core_config.h"
#include "engine/timing/exposure.h"
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
	uint64_t *registers; /* by miss, modulo their number: when the miss register is free */
	uint64_t misses;
	uint64_t *walkers; /* likewise, of page walks */
	uint64_t walks;
	uint64_t bus_free; /* when the memory can transfer the next line */
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
/* Returns when the line is in the first level. */
uint64_t ms_timing_access_line(struct ms_timing_path *path, const struct ms_timing_access *access);

#endif
