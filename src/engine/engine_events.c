/*
 * engine/engine_events.c - forwards events of the program to a shard: changes of its memory to the
 * address map and to variants that follow them, phases to the counters, threads and processors to
 * the variant.
 */
#include "engine/engine_priv.h"
#include "engine/variant_priv.h"

/* --- memory --- */

static void change_map(struct ms_engine_shard *shard, enum ms_engine_map_change change,
		       uint64_t start, uint64_t end)
{
	shard->engine->variant->change_map(shard, change, start, end);
}

void ms_engine_add_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data)
{
	change_map(shard, MS_ENGINE_MAP_ADD, start, start + size);
	ms_address_map_add_object(&shard->address_map, start, size, data);
}

bool ms_engine_free_object(struct ms_engine_shard *shard, uint64_t start,
			   struct ms_engine_range *was)
{
	bool found = ms_address_map_free_object(&shard->address_map, start, was);

	if (found)
		change_map(shard, MS_ENGINE_MAP_REMOVE, start, start);
	return found;
}

bool ms_engine_add_short_lived(struct ms_engine_shard *shard, uint64_t start, uint64_t size)
{
	return ms_address_map_add_short_lived(&shard->address_map, start, size);
}

bool ms_engine_allows_short_lived(const struct ms_engine_shard *shard)
{
	return !shard->engine->variant->follows_map && shard->address_map.outer_objects.n == 0;
}

void ms_engine_prefetch_object(const struct ms_engine_shard *shard, uint64_t start)
{
	__builtin_prefetch(ms_address_map_find_entry(&shard->address_map, start), 1);
}

void ms_engine_prefetch_object_range(const struct ms_engine_shard *shard, uint64_t start)
{
	uint32_t index = *ms_address_map_find_entry(&shard->address_map, start);

	if (index > MS_ADDRESS_MAP_FREED)
		__builtin_prefetch(ms_address_map_get_range(&shard->address_map, index), 1);
}

void ms_engine_add_nested_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
				 uint32_t data)
{
	change_map(shard, MS_ENGINE_MAP_OVERLAY, start, start + size);
	ms_address_map_add_nested(&shard->address_map, start, size, data);
}

bool ms_engine_free_nested_object(struct ms_engine_shard *shard, uint64_t start,
				  struct ms_engine_range *was)
{
	bool found = ms_address_map_free_nested(&shard->address_map, start, was);

	if (found)
		change_map(shard, MS_ENGINE_MAP_REMOVE, start, start);
	return found;
}

void ms_engine_name_range(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data)
{
	ms_address_map_name_range(&shard->address_map, start, size, data);
}

void ms_engine_unname_range(struct ms_engine_shard *shard, uint64_t start)
{
	ms_address_map_unname_range(&shard->address_map, start);
}

uint64_t ms_engine_take_lost_bytes(struct ms_engine_shard *shard, uint32_t data)
{
	return ms_address_map_take_lost_bytes(&shard->address_map, data);
}

uint32_t ms_engine_find_data(struct ms_engine_shard *shard, uint64_t address)
{
	struct ms_address_map_range *range;

	return ms_address_map_find_data(&shard->address_map, address, &range);
}

void ms_engine_set_freed_data(struct ms_engine_shard *shard, uint32_t data)
{
	/* No ref_state refers to freed memory, so all look it up again. */
	shard->address_map.fallback.freed = data;
}

void ms_engine_map_region(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			  uint32_t data, bool exact)
{
	if (start < end)
		change_map(shard, MS_ENGINE_MAP_OVERLAY, start, end);
	ms_address_map_map_region(&shard->address_map, start, end, data, exact);
}

void ms_engine_unmap_range(struct ms_engine_shard *shard, uint64_t start, uint64_t end)
{
	change_map(shard, MS_ENGINE_MAP_CLEAR, start, end);
	ms_address_map_unmap_range(&shard->address_map, start, end);
	shard->engine->variant->threads->unmap_pages(shard, start, end);
}

void ms_engine_add_module(struct ms_engine_shard *shard, uint32_t module,
			  const struct ms_engine_range *ranges, size_t n)
{
	for (size_t i = 0; i < n; i++)
		change_map(shard, MS_ENGINE_MAP_OVERLAY, ranges[i].start, ranges[i].end);
	ms_address_map_add_module(&shard->address_map, module, ranges, n);
}

void ms_engine_remove_module(struct ms_engine_shard *shard, uint32_t module)
{
	for (size_t i = 0; i < shard->address_map.modules.n; i++) {
		const struct ms_address_map_module *m = &shard->address_map.modules.at[i];

		if (m->module == module)
			change_map(shard, MS_ENGINE_MAP_CLEAR, m->start, m->end);
	}
	ms_address_map_remove_module(&shard->address_map, module);
}

void ms_engine_watch_lines(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			   uint32_t data)
{
	ms_spatial_watch(shard, start, size, data);
}

/* --- phases, threads and processors --- */

void ms_engine_begin_phase(struct ms_engine_shard *shard, uint32_t phase)
{
	ms_count_begin_phase(shard, phase);
}

void ms_engine_set_processor(struct ms_engine_shard *shard, uint32_t processor, uint32_t thread)
{
	ms_timing_switch_thread(shard);
	shard->engine->variant->threads->set_processor(shard, processor, thread);
}

void ms_engine_register_thread(struct ms_engine_shard *shard, uint32_t name)
{
	shard->engine->variant->threads->register_thread(shard, name);
}

void ms_engine_forget_threads(struct ms_engine_shard *shard)
{
	shard->engine->variant->threads->forget_threads(shard);
}

bool ms_engine_switch_thread(struct ms_engine_shard *shard, uint64_t record)
{
	if (!shard->engine->variant->threads->switch_thread(shard, record))
		return false;
	ms_timing_switch_thread(shard);
	return true;
}

uint64_t ms_engine_take_thread_switches(struct ms_engine_shard *shard, uint32_t *name)
{
	return shard->engine->variant->threads->take_switches(shard, name);
}

void ms_engine_set_busy_processors(struct ms_engine_shard *shard, uint32_t processors)
{
	shard->engine->variant->threads->set_busy_processors(shard, processors);
}

void ms_engine_set_placement(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			     enum ms_machine_page_placement placement, uint64_t nodes)
{
	shard->engine->variant->threads->set_placement(shard, start, end, placement, nodes);
}
