/*
 * engine/spatial/watched_lines.c - see watched_lines.h.
 *
 * The L1 filter may remember lines as the most recent ones of their sets at the moment when they
 * begin to be watched. It would drop the next accesses to them, so it forgets them.
 */
#include "engine/spatial/watched_lines.h"

#include "engine/coherence/processor_filter.h"
#include "engine/engine_priv.h"
#include "engine/spatial/spatial_state.h"

void ms_spatial_close_watched(struct ms_spatial_watched *watched)
{
	ms_map_free(&watched->groups);
	ms_vec_free(&watched->masks);
	ms_map_free(&watched->data);
}

static uint64_t *get_mask(struct ms_spatial_watched *watched, uint64_t line)
{
	uint32_t *group = ms_map_at(&watched->groups, line >> MS_SPATIAL_GROUP_SHIFT, 0);

	if (*group == MS_MAP_NONE) {
		*group = (uint32_t)watched->masks.n;
		*ms_vec_add(&watched->masks) = 0;
	}
	return &watched->masks.at[*group];
}

static void forget_line(struct ms_engine_shard *shard, uint64_t line)
{
	uint64_t *recent =
		&shard->filter.recent[ms_caches_index_lru_set(&shard->caches.first, line)];

	if (*recent == line)
		*recent = ms_filter_make_absent_line(&shard->caches.first, line);
}

void ms_spatial_watch(struct ms_engine_shard *shard, uint64_t start, uint64_t size, uint32_t data)
{
	struct ms_spatial_watched *watched = &shard->spatial.watched;
	uint64_t last = (start + (size > 0 ? size - 1 : 0)) >> shard->first_shift;

	if (!watched->is_used)
		return;
	*ms_map_at(&watched->data, data, 0) = 0;
	for (uint64_t line = start >> shard->first_shift; line <= last; line++) {
		const uint64_t bit = UINT64_C(1) << (line & ((1u << MS_SPATIAL_GROUP_SHIFT) - 1));
		uint64_t *mask = get_mask(watched, line);

		if (*mask & bit)
			continue;
		*mask |= bit;
		if (shard->engine->variant->has_processors)
			ms_coherence_mark_line(shard, line);
		else
			forget_line(shard, line);
	}
}
