/* engine/footprint.c - how much memory the engine takes, part by part. */
#include "engine/coherence.h"
#include "engine/engine_priv.h"

static uint64_t bytes_of_tallies(const struct tallies *tallies)
{
	return tallies->arena.taken + tallies->pair_arena.taken +
	       tallies->with_pairs.cap * sizeof(*tallies->with_pairs.at) +
	       ms_map_bytes(&tallies->by_site_data) + tallies->list.cap * sizeof(*tallies->list.at);
}

static uint64_t bytes_of_levels(const struct ms_shard *shard)
{
	uint64_t bytes =
		ms_cache_bytes(&shard->first) + shard->first.set_count * sizeof(*shard->recent);

	for (unsigned i = 1; i < shard->levels; i++)
		bytes += ms_cache_bytes(&shard->cache[i]);
	return bytes;
}

static uint64_t bytes_of_phases(const struct phase_counts *counts)
{
	return counts->at.cap * sizeof(*counts->at.at);
}

static uint64_t bytes_of_blocks(const struct ms_shard *shard)
{
	uint64_t bytes = shard->arena.taken + shard->blocks.cap * sizeof(*shard->blocks.at) +
			 shard->exits.cap * sizeof(*shard->exits.at);

	for (unsigned i = 0; i < shard->engine->slots; i++)
		bytes += shard->splits[i].at.cap * sizeof(struct split);
	return bytes;
}

static void add_shard(const struct ms_shard *shard, struct ms_engine_footprint *footprint)
{
	uint64_t line_bytes;

	if (shard->processors != NULL) {
		footprint->lines += ms_coherence_units(shard->general->coherence, &line_bytes);
		line_bytes += ms_general_record_bytes(shard->general);
	} else {
		footprint->lines += ms_lines_count(&shard->lines, &line_bytes);
	}
	footprint->line_bytes += line_bytes;
	footprint->bytes += line_bytes + sizeof(*shard) + ms_places_bytes(&shard->places) +
			    ms_cells_bytes(&shard->cells) + bytes_of_tallies(&shard->tallies) +
			    bytes_of_blocks(shard) + bytes_of_levels(shard) +
			    ms_movements_bytes(&shard->movements, shard->engine->slots) +
			    ms_general_bytes(shard->general) + bytes_of_phases(&shard->phases) +
			    bytes_of_phases(&shard->sifted) +
			    ms_processors_bytes(shard->processors, shard->engine->slots) +
			    shard->doubts.room * sizeof(*shard->doubts.at) +
			    shard->falling.cap * sizeof(*shard->falling.at);
}

void ms_engine_footprint(const struct ms_engine *engine, struct ms_engine_footprint *footprint)
{
	*footprint = (struct ms_engine_footprint){
		.bytes = sizeof(*engine) + engine->group_mask + 1 +
			 bytes_of_tallies(&engine->finished) + ms_pairs_bytes(&engine->pairs) +
			 ms_occupancy_bytes(&engine->occupancy) +
			 ms_windows_bytes(engine->windows) +
			 bytes_of_phases(&engine->finished_phases),
	};
	for (unsigned i = 0; i < engine->slots * engine->shards; i++)
		footprint->bytes +=
			engine->batch[i / engine->shards].shares[i % engine->shards].room *
			sizeof(struct doubt);
	for (unsigned i = 0; engine->met != NULL && i < engine->slots; i++)
		footprint->bytes += engine->met[i].room * sizeof(*engine->met[i].at) +
				    engine->met[i].marks.cap * sizeof(*engine->met[i].marks.at);
	footprint->bytes +=
		ms_threads_bytes(&engine->threads) + ms_placement_bytes(&engine->placement);
	for (unsigned i = 0; i < engine->shards; i++)
		add_shard(&engine->shard[i], footprint);
}
