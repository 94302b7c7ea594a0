/*
 * engine/spatial/watched_lines.h - the lines of some data, all of which are observed, and no
 * others.
 *
 * A line stays watched when its object is freed: what an allocator puts there next is mostly more
 * of the same. Other data that gets there is not in the totals.
 */
#ifndef MS_ENGINE_SPATIAL_WATCHED_LINES_H
#define MS_ENGINE_SPATIAL_WATCHED_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct ms_engine_shard;

/* Lines of a group are bits of a word. */
enum { MS_SPATIAL_GROUP_SHIFT = 6 };

struct ms_spatial_watched {
	bool is_used; /* else the selected lines are observed (line_selection.h) */
	struct ms_map groups;
	MS_VEC(uint64_t) masks; /* by the number of the group */
	struct ms_map data;
};

static inline bool ms_spatial_is_watched(const struct ms_spatial_watched *watched, uint64_t line)
{
	uint32_t group = ms_map_get(&watched->groups, line >> MS_SPATIAL_GROUP_SHIFT, 0);

	return group != MS_MAP_NONE &&
	       watched->masks.at[group] >> (line & ((1u << MS_SPATIAL_GROUP_SHIFT) - 1)) & 1;
}

void ms_spatial_close_watched(struct ms_spatial_watched *watched);
/* See ms_engine_watch_lines(). */
void ms_spatial_watch(struct ms_engine_shard *shard, uint64_t start, uint64_t size, uint32_t data);

#endif
