/* engine/timing/memory_path.c - see memory_path.h. */
#include "engine/timing/memory_path.h"

#include <string.h>

#include "base/mem.h"

void ms_timing_open_path(struct ms_timing_path *path, const struct ms_timing_config *config,
			 struct ms_timing_sums *sums)
{
	path->config = config;
	path->exposure.sums = sums;
	ms_timing_open_prefetcher(&path->prefetcher, config);
	ms_timing_open_tlb(&path->tlb, config);
	path->registers = ms_alloc(config->outstanding * sizeof(*path->registers));
	ms_timing_open_resource(&path->walkers, config->walk_latency, config->walks);
}

void ms_timing_close_path(struct ms_timing_path *path)
{
	ms_timing_close_prefetcher(&path->prefetcher);
	ms_timing_close_tlb(&path->tlb);
	ms_free(path->registers);
	ms_timing_close_exposure(&path->exposure);
}

void ms_timing_restart_path(struct ms_timing_path *path)
{
	ms_timing_restart_prefetcher(&path->prefetcher);
	memset(path->arrivals, 0, sizeof(path->arrivals));
	memset(path->registers, 0, path->config->outstanding * sizeof(*path->registers));
	ms_timing_restart_resource(&path->walkers);
	path->transferred[0] = path->transferred[1] = 0;
}

/* Returns the time that the translation takes. */
static uint64_t translate(struct ms_timing_path *path, uint64_t line, uint64_t start,
			  struct ms_timing_flight *flight)
{
	const struct ms_timing_config *config = path->config;
	uint64_t page = line >> (config->page_shift - config->line_shift);

	switch (ms_timing_translate(&path->tlb, page)) {
	case MS_TIMING_TLB_HIT:
		return 0;
	case MS_TIMING_TLB_SECOND:
		return config->second_latency;
	case MS_TIMING_TLB_WALK:
		break;
	}
	flight->is_walk = true;
	return ms_timing_serve(&path->walkers, start, config->walk_latency) - start;
}

/* Levels before the last one are fast enough; the last one is as fast for stores as for loads. */
static void count_transfer(struct ms_timing_path *path, const struct ms_timing_access *access,
			   bool is_pair)
{
	const struct ms_timing_config *config = path->config;
	uint64_t transfer = access->is_store ? config->write_transfer : config->read_transfer;

	if (access->missed + 1 < config->levels)
		return;
	if (access->missed < config->levels)
		transfer = config->read_transfer * 100 / MS_TIMING_LAST_LEVEL_SPEED;
	path->transferred[access->is_store] +=
		is_pair && !access->is_store ? 2 * transfer : transfer;
	*ms_vec_add(&path->exposure.transfers[access->is_store]) = access->cell;
}

/* Loads and stores have paths of their own: those that need more time determine it. */
uint64_t ms_timing_apply_bandwidth(struct ms_timing_path *path, uint64_t duration)
{
	bool stores = path->transferred[1] > path->transferred[0];
	uint64_t needed = path->transferred[stores];
	uint64_t more = needed > duration ? needed - duration : 0;

	ms_timing_charge_transfers(&path->exposure, more, stores);
	return more;
}

/* The miss register that is free first. */
static uint64_t *find_register(const struct ms_timing_path *path)
{
	uint64_t *first = path->registers;

	for (uint32_t i = 1; i < path->config->outstanding; i++)
		if (path->registers[i] < *first)
			first = &path->registers[i];
	return first;
}

/* A demand miss needs a miss register; a prefetched line has been requested without one. */
static uint64_t request(struct ms_timing_path *path, const struct ms_timing_access *access,
			struct ms_timing_flight *flight)
{
	struct ms_timing_prefetched prefetched = ms_timing_prefetch(
		&path->prefetcher, access->site, access->line, access->start, access->missed > 1);
	uint64_t requested = prefetched.requested, *reg = NULL;

	flight->is_prefetched = prefetched.is_requested;
	if (!flight->is_prefetched) {
		reg = find_register(path);
		flight->begin = ms_timing_later(access->start, *reg);
		flight->walk = translate(path, access->line, flight->begin, flight);
		requested = flight->begin + flight->walk;
	} else {
		translate(path, access->line, access->start, flight);
		flight->is_walk = false;
	}
	/* A stream of stores writes whole lines: they need not be read before. */
	bool is_written = flight->is_prefetched && access->is_store;
	if (is_written)
		requested = access->start;
	uint64_t arrives = requested + (is_written ? 0 : flight->latency);
	flight->end = ms_timing_later(arrives, flight->begin);
	count_transfer(path, access, prefetched.wastes_pair);
	if (reg != NULL)
		*reg = flight->end;
	return flight->end;
}

uint64_t ms_timing_access_line(struct ms_timing_path *path, const struct ms_timing_access *access)
{
	struct ms_timing_arrival *arrival =
		&path->arrivals[ms_hash(access->line, 0) % MS_TIMING_ARRIVALS];

	if (access->missed == 0)
		return arrival->line == access->line ? ms_timing_later(access->start, arrival->at)
						     : access->start;
	struct ms_timing_flight flight = {
		.begin = access->start,
		.charged = path->config->dispatch, /* see core.c: take_fill_slot() */
		.latency = path->config->latency[access->missed],
		.cell = access->cell,
		.level = access->missed - 1,
		.is_store = access->is_store,
	};
	uint64_t at = request(path, access, &flight);

	ms_timing_begin_flight(&path->exposure, &flight);
	*arrival = (struct ms_timing_arrival){ access->line, at };
	return at;
}
