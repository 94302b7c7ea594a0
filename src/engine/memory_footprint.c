/* engine/memory_footprint.c - measures the memory that the engine uses, by component. */
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

static uint64_t bytes_of_counters(const struct ms_count_miss_table *miss_counters)
{
	return miss_counters->arena.taken + miss_counters->pair_arena.taken +
	       miss_counters->with_pairs.cap * sizeof(*miss_counters->with_pairs.at) +
	       ms_map_bytes(&miss_counters->by_site_data) +
	       miss_counters->list.cap * sizeof(*miss_counters->list.at);
}

static uint64_t bytes_of_first_level(const struct ms_engine_shard *shard)
{
	return ms_caches_measure_lru(&shard->caches.first) +
	       shard->caches.first.set_count * sizeof(*shard->filter.recent);
}

static uint64_t bytes_of_phases(const struct ms_count_phases *counts)
{
	return counts->at.cap * sizeof(*counts->at.at);
}

static uint64_t bytes_of_blocks(const struct ms_engine_shard *shard)
{
	uint64_t bytes = shard->filter.arena.taken +
			 shard->filter.blocks.cap * sizeof(*shard->filter.blocks.at) +
			 shard->filter.exits.cap * sizeof(*shard->filter.exits.at);

	for (unsigned i = 0; i < shard->engine->batch_count; i++)
		bytes += shard->caches.splits[i].at.cap * sizeof(struct ms_caches_split_miss);
	return bytes;
}

static void add_shard(const struct ms_engine_shard *shard, struct ms_engine_footprint *footprint)
{
	const struct ms_engine_variant *variant = shard->engine->variant;
	uint64_t line_bytes;

	footprint->lines += variant->counts->count_lines(shard, &line_bytes);
	footprint->line_bytes += line_bytes;
	footprint->bytes += line_bytes + sizeof(*shard) +
			    ms_address_map_measure(&shard->address_map) +
			    ms_count_measure_cells(&shard->cells) +
			    bytes_of_counters(&shard->counts.miss_counters) +
			    bytes_of_blocks(shard) + bytes_of_first_level(shard) +
			    ms_count_measure_line_changes(&shard->counts.line_changes,
							  shard->engine->batch_count) +
			    variant->measure_shard(shard) + bytes_of_phases(&shard->counts.phases) +
			    bytes_of_phases(&shard->phase_references.counts) +
			    shard->filter.pending.room * sizeof(*shard->filter.pending.at) +
			    ms_count_measure_sets(&shard->counts.sets) +
			    shard->timing.executions.cap * sizeof(*shard->timing.executions.at) +
			    shard->caches.missed_lines.cap * sizeof(*shard->caches.missed_lines.at);
}

void ms_engine_measure_footprint(const struct ms_engine *engine,
				 struct ms_engine_footprint *footprint)
{
	*footprint = (struct ms_engine_footprint){
		.bytes = sizeof(*engine) + engine->group_mask + 1 +
			 bytes_of_counters(&engine->counts.finished) +
			 ms_count_measure_pair_sums(&engine->counts.pairs) +
			 ms_count_measure_occupancy(&engine->counts.occupancy) +
			 ms_count_measure_slices(&engine->counts.slices) +
			 engine->variant->measure(engine) + ms_timing_measure(engine->timing) +
			 ms_spatial_measure(engine->spatial) + ms_call_paths_measure(engine) +
			 ms_causes_measure(engine) +
			 bytes_of_phases(&engine->counts.finished_phases),
	};
	for (unsigned i = 0; i < engine->batch_count * engine->shards; i++)
		footprint->bytes +=
			engine->batch[i / engine->shards].shares[i % engine->shards].room *
			sizeof(struct ms_filter_pending);
	for (unsigned i = 0; i < engine->shards; i++)
		add_shard(&engine->shard[i], footprint);
}
