/* engine/access.c - what happens beyond the hit of the most recent line: misses, splits, new data.
 */
#include "engine/engine_priv.h"

/* The line has come into the level: who left, and whose is it now? */
static void settle_level(struct ms_shard *shard, struct cell *cell, unsigned level,
			 uint32_t *record)
{
	struct cache *cache = &shard->cache[level];
	uint32_t *victim = cache->victim;

	cache->here->record = record;
	if (victim != NULL) {
		ms_cells_count_pair(&shard->cells, cell, level, PAIR_EVICTS,
				    ms_line_data(victim[level]));
		victim[level] = ms_line_gone(cell->data);
	}
	record[level] = ms_line_here(cell->data);
}

unsigned ms_shard_access(struct ms_shard *shard, struct cell *cell, uint64_t line, uint32_t *old)
{
	uint32_t *record = NULL;
	unsigned missed = 0;

	/* The next level's set is far away more often than not; the first one's is near. */
	if (shard->levels > 1)
		ms_cache_expect(&shard->cache[1], line >> shard->cache[1].up);
	while (missed < shard->levels &&
	       !ms_cache_bring(&shard->cache[missed], line >> shard->cache[missed].up))
		missed++;
	if (missed == 0)
		return 0;
	__atomic_store_n(&shard->misses, shard->misses + 1, __ATOMIC_RELAXED);
	if (shard->uniform)
		record = missed < shard->levels ? shard->cache[missed].here->record
						: ms_lines_at(&shard->lines, line);
	for (unsigned level = 0; level < missed; level++) {
		uint32_t up = shard->cache[level].up;

		if (!shard->uniform)
			record = ms_lines_at(&shard->lines, line >> up << up);
		old[level] = record[level];
		settle_level(shard, cell, level, record);
	}
	return missed;
}

/* Brings all lines of this shard in; shard->old and old_line say what the first to miss met. */
static unsigned access_lines(struct ms_shard *shard, struct slot *slot, uint64_t address)
{
	uint64_t first = address >> shard->first_shift;
	uint64_t last = (address + slot->reach) >> shard->first_shift;
	uint32_t *old = shard->old + shard->levels; /* of one line; the front half is the whole's */
	unsigned missed = 0;

	for (uint64_t line = first; line <= last; line++) {
		if (ms_engine_owner(shard->engine, line << shard->first_shift) != shard->number)
			continue;
		unsigned now = ms_shard_access(shard, slot->cell, line, old);
		for (; missed < now; missed++) {
			shard->old[missed] = old[missed];
			shard->old_line[missed] = (uint32_t)(line - first);
		}
	}
	return missed;
}

void ms_shard_straddle(struct ms_shard *shard, struct slot *slot, uint64_t address)
{
	unsigned missed = access_lines(shard, slot, address);

	for (unsigned level = 0; level < missed; level++)
		ms_cells_count_miss(&shard->cells, slot->cell, level, shard->old[level]);
}

void ms_shard_split(struct ms_shard *shard, struct slot *slot, uint64_t address, unsigned batch)
{
	unsigned missed = shard->general == NULL ? access_lines(shard, slot, address)
						 : ms_general_lines(shard, slot, address);

	for (unsigned level = 0; level < missed; level++)
		*ms_vec_add(&shard->splits[batch].at) = (struct split){
			.order = shard->split_order,
			.site = slot->site,
			.data = slot->cell->data,
			.level = level,
			.line = shard->old_line[level],
			.record = shard->old[level],
			.phase = shard->phase,
		};
	shard->split_order++;
}

bool ms_shard_bind(struct ms_shard *shard, struct slot *slot, uint64_t address)
{
	uint32_t data;

	if (address == 0)
		return false;
	data = ms_places_find(&shard->places, address, &slot->place);
	if (slot->cell == NULL) {
		slot->cell = ms_cells_at(&shard->cells, slot->site, data);
	} else if (slot->cell->data != data) {
		slot->cell->references += slot->count;
		slot->count = 0;
		slot->cell = ms_cells_after(&shard->cells, slot->cell, data);
	}
	return true;
}
