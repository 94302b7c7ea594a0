/* collect/events/maps.c - events of mappings. */
#include <string.h>

#include "collect/events/events.h"

static struct ms_wire_map map_of(const struct ms_collect_event *e)
{
	struct ms_wire_map map;

	memcpy(&map, e->words, sizeof(map));
	return map;
}

static int bind_map(struct ms_collect_state *c, const struct ms_collect_event *e,
		    struct ms_collect_bound_event *b, struct ms_err *err)
{
	struct ms_wire_map map = map_of(e);
	char path[MS_WIRE_MAX_TEXT + 1];

	if (map.path_bytes > (e->n * 8 - sizeof(map)) || map.path_bytes > MS_WIRE_MAX_TEXT)
		return ms_fail(err, MS_EFORMAT, "stream: a mapping's path is cut short");
	memcpy(path, (const char *)e->words + sizeof(map), map.path_bytes);
	path[map.path_bytes] = '\0';

	if (map.kind == MS_WIRE_MAP_FILE)
		b->data = ms_bins_file(c->binding.binder, map.path_bytes > 0 ? path : "<file>");
	else if (map.kind != MS_WIRE_MAP_ANON && c->setup.attached)
		b->data = MS_BOUND_BEFORE_ATTACH;
	else if (map.kind == MS_WIRE_MAP_HEAP)
		b->data = MS_BOUND_ALLOCATOR;
	else if (map.kind == MS_WIRE_MAP_ANON && e->arg != MS_WIRE_NO_PATH)
		return ms_bins_mapping(c->binding.binder, e->arg, &b->data, err);
	else
		b->data = MS_BOUND_START;
	return MS_OK;
}

static void apply_map(struct ms_collect_worker *w, const struct ms_collect_event *e,
		      const struct ms_collect_bound_event *b)
{
	struct ms_wire_map map = map_of(e);

	bool exact = map.kind != MS_WIRE_MAP_HEAP && map.kind != MS_WIRE_MAP_START;

	EACH_SHARD(w, shard) {
		ms_engine_unmap_range(shard, map.address, map.address + map.size);
		ms_engine_map_region(shard, map.address, map.address + map.size, b->data, exact);
	}
	ms_collect_count_object(w, b->data, map.size);
}

static void apply_unmap(struct ms_collect_worker *w, const struct ms_collect_event *e,
			const struct ms_collect_bound_event *b)
{
	(void)b;
	EACH_SHARD(w, shard)
		ms_engine_unmap_range(shard, e->words[0], e->words[0] + e->words[1]);
}

const struct ms_collect_handler ms_collect_event_map = { "mapping", sizeof(struct ms_wire_map) / 8,
							 bind_map, apply_map };
const struct ms_collect_handler ms_collect_event_unmap = { "unmapping", 2, NULL, apply_unmap };
