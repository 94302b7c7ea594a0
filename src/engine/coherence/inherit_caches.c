#include "engine/coherence/inherit_caches.h"

#include "engine/caches/cache_access.h"
#include "engine/caches/visit_records.h"
#include "engine/coherence/coherence.h"
#include "engine/coherence/directory_entry.h"
#include "engine/engine_priv.h"

struct heir {
	struct ms_engine_shard *shard;
	struct ms_caches_array **path;
	struct ms_coherence *coherence;
};

/* One of the agent's own caches has the line. */
static void hold_unit(struct ms_coherence *c, uint64_t line)
{
	uint32_t *entry = ms_coherence_get_entry(c, line >> c->unit_shift);

	ms_coherence_set_state(entry,
			       c->protocol == MS_PROTOCOL_MSI ? MS_COHERENCE_UNIT_SHARED
							      : MS_COHERENCE_UNIT_EXCLUSIVE,
			       0);
	ms_coherence_add_holder(entry, 0);
}

static void inherit_record(uint64_t line, const uint32_t *words, void *arg)
{
	const struct heir *h = arg;
	const struct ms_engine *engine = h->shard->engine;

	for (unsigned k = 0; k < h->shard->levels; k++) {
		const struct ms_caches_array *array = h->path[k];

		if (words[k] == MS_CACHES_NEVER_PRESENT)
			continue;
		ms_caches_get_record(array->group->lines, line)[array->word] = words[k];
		if (k < h->coherence->private_levels && (words[k] & 1) != 0)
			hold_unit(h->coherence, line);
	}
	/* The page was touched by the first processor. */
	if (engine->coherence.placement.nodes > 1)
		ms_address_map_get_page_node(&h->shard->engine->coherence.placement,
					     line << h->shard->first_shift, 0);
}

/* The least recent line first. */
static void inherit_lines(const struct ms_caches_array *array, struct ms_caches_lru *from)
{
	if (from->tags != NULL)
		ms_caches_widen_lru(from);
	for (uint64_t set = 0; set < from->set_count; set++)
		for (uint32_t way = from->ways; way-- > 0;) {
			uint64_t line = ~from->lines[set * from->stride + way];

			if (line != MS_CACHES_NO_LINE)
				ms_caches_fill_way(array,
						   ms_caches_choose_way(
							   array, ms_caches_index_set(array, line)),
						   line);
		}
}

void ms_coherence_inherit_caches(struct ms_engine_shard *shard)
{
	struct heir heir = { shard, ms_caches_get_path(shard->configurable, 0),
			     shard->configurable->coherence };

	ms_caches_visit_records(&shard->caches.lines, inherit_record, &heir);
	inherit_lines(heir.path[0], &shard->caches.first);
	for (unsigned k = 1; k < shard->levels; k++)
		inherit_lines(heir.path[k], &shard->caches.level[k]);
}
