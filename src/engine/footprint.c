/* engine/footprint.c - how much memory the engine takes, part by part. */
#include "engine/engine_priv.h"

static uint64_t bytes_of_cells(const struct cells *cells)
{
	return cells->arena.taken + ms_map_bytes(&cells->by_site_data) +
	       ms_map_bytes(&cells->by_far_pair) + cells->list.cap * sizeof(*cells->list.at) +
	       cells->far_pairs.cap * sizeof(*cells->far_pairs.at);
}

static uint64_t bytes_of_cache(const struct cache *cache)
{
	return cache->sets * (cache->associativity * sizeof(*cache->ways) + sizeof(*cache->recent));
}

static uint64_t bytes_of_general(const struct general *general)
{
	uint64_t bytes = 0;

	for (unsigned k = 0; general != NULL && k < general->levels; k++) {
		const struct general_level *level = &general->level[k];

		bytes += sizeof(*level) + level->streams.most * sizeof(*level->streams.at) +
			 level->sets * (level->associativity * sizeof(*level->ways) +
					level->state_words * sizeof(*level->states));
	}
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

	footprint->lines += ms_lines_count(&shard->lines, &line_bytes);
	footprint->line_bytes += line_bytes;
	footprint->bytes += line_bytes + sizeof(*shard) + ms_places_bytes(&shard->places) +
			    bytes_of_cells(&shard->cells) + bytes_of_blocks(shard) +
			    bytes_of_general(shard->general) + bytes_of_phases(&shard->phases) +
			    bytes_of_phases(&shard->phase_before);
	for (unsigned i = 0; i < shard->levels; i++)
		footprint->bytes += bytes_of_cache(&shard->cache[i]);
}

void ms_engine_footprint(const struct ms_engine *engine, struct ms_engine_footprint *footprint)
{
	*footprint = (struct ms_engine_footprint){
		.bytes = sizeof(*engine) + engine->group_mask + 1 +
			 bytes_of_cells(&engine->settled) +
			 bytes_of_phases(&engine->settled_phases),
	};
	for (unsigned i = 0; i < engine->shards; i++)
		add_shard(&engine->shard[i], footprint);
}
