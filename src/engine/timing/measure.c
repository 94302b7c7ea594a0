/* engine/timing/measure.c - the memory that the timing model takes: see memory_footprint.c. */
#include "engine/timing/timing.h"
#include "engine/timing/timing_state.h"

#define BYTES(vec) ((vec).cap * sizeof(*(vec).at))

static uint64_t bytes_of_batch(const struct ms_timing *timing, const struct ms_timing_batch *batch)
{
	uint64_t bytes = sizeof(*batch) + BYTES(batch->executions);

	for (unsigned i = 0; i < timing->shards; i++)
		bytes += sizeof(batch->shares[i]) + BYTES(batch->shares[i].misses) +
			 BYTES(batch->shares[i].pages);
	return bytes;
}

static uint64_t bytes_of_tlb(const struct ms_timing_tlb *tlb)
{
	return tlb->first_sets * MS_TIMING_FIRST_TLB_WAYS * sizeof(*tlb->first) +
	       tlb->second_sets * MS_TIMING_TLB_WAYS * sizeof(*tlb->second);
}

static uint64_t bytes_of_core(const struct ms_timing_core *core)
{
	const struct ms_timing_config *config = core->config;
	const struct ms_timing_path *path = &core->path;

	return config->window * sizeof(*core->window) +
	       config->store_buffer * sizeof(*core->stores) + core->chained_size +
	       BYTES(path->exposure.flights) + BYTES(path->exposure.transfers[0]) +
	       BYTES(path->exposure.transfers[1]) +
	       (config->streams + 1) * sizeof(*path->prefetcher.streams) +
	       config->outstanding * sizeof(*path->registers) + bytes_of_tlb(&path->tlb) +
	       (config->levels + 1) * sizeof(*config->latency);
}

uint64_t ms_timing_measure(const struct ms_timing *timing)
{
	if (timing == NULL)
		return 0;
	uint64_t bytes = sizeof(*timing) + bytes_of_core(&timing->core) +
			 ms_map_bytes(&timing->sums.index) + BYTES(timing->sums.cells) +
			 BYTES(timing->sums.rows) + BYTES(timing->replay.misses) +
			 BYTES(timing->compute);

	if (timing->replay.first != NULL)
		bytes += (timing->replay.mask + 1) * sizeof(*timing->replay.first);
	for (unsigned i = 0; i < timing->batch_count; i++)
		bytes += bytes_of_batch(timing, &timing->batch[i]);
	return bytes;
}
