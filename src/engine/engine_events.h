/*
 * engine/engine_events.h - events of the program that every shard receives, in stream order:
 * objects and regions of memory, phases, threads. See engine.h.
 */
#ifndef MS_ENGINE_ENGINE_EVENTS_H
#define MS_ENGINE_ENGINE_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"

struct ms_engine_shard;

/* Address range of a variable or section of a module, for ms_engine_add_module(). */
struct ms_engine_range {
	uint64_t start;
	uint64_t end;
	uint32_t data;
};

/* Heap objects. Adding an object over an existing one ends the existing one. */
void ms_engine_add_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data);
/* Returns false when no object starts there. *was receives the object's range and data. */
bool ms_engine_free_object(struct ms_engine_shard *shard, uint64_t start,
			   struct ms_engine_range *was);
/*
 * Has the effect of adding an object and freeing it at once, but is faster. Returns false where
 * freeing it would. Allowed only while no objects are nested and no PMU monitor records changes of
 * the map (ms_engine_allows_short_lived()).
 */
bool ms_engine_add_short_lived(struct ms_engine_shard *shard, uint64_t start, uint64_t size);
bool ms_engine_allows_short_lived(const struct ms_engine_shard *shard);
/* An object will be added or freed there soon: prefetches what that needs, in two steps. */
void ms_engine_prefetch_object(const struct ms_engine_shard *shard, uint64_t start);
void ms_engine_prefetch_object_range(const struct ms_engine_shard *shard, uint64_t start);
/*
 * The same for objects that can lie inside others. Freeing the outer object removes those inside
 * it.
 */
void ms_engine_add_nested_object(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
				 uint32_t data);
bool ms_engine_free_nested_object(struct ms_engine_shard *shard, uint64_t start,
				  struct ms_engine_range *was);
/*
 * Overlays a range with data, until the range is unnamed, or what lies below is freed or unmapped.
 */
void ms_engine_name_range(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			  uint32_t data);
void ms_engine_unname_range(struct ms_engine_shard *shard, uint64_t start);
/*
 * These lines of the data are observed from now on, if that was selected: see
 * ms_engine_select_lines().
 */
void ms_engine_watch_lines(struct ms_engine_shard *shard, uint64_t start, uint64_t size,
			   uint32_t data);
/* Bytes of this data's objects that ended without being freed, since the last call. */
uint64_t ms_engine_take_lost_bytes(struct ms_engine_shard *shard, uint32_t data);
/* Sets the data of freed heap memory from now on. */
void ms_engine_set_freed_data(struct ms_engine_shard *shard, uint32_t data);
/* The data of an address at present. */
uint32_t ms_engine_find_data(struct ms_engine_shard *shard, uint64_t address);
/*
 * Regions are larger parts of memory; a later region covers earlier ones. exact: no heap object
 * will ever lie inside. Unmapping removes everything in the range, heap objects included.
 */
void ms_engine_map_region(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			  uint32_t data, bool exact);
void ms_engine_unmap_range(struct ms_engine_shard *shard, uint64_t start, uint64_t end);
/* A module's variables: sorted by start, not overlapping. They take precedence over regions. */
void ms_engine_add_module(struct ms_engine_shard *shard, uint32_t module,
			  const struct ms_engine_range *ranges, size_t n);
void ms_engine_remove_module(struct ms_engine_shard *shard, uint32_t module);

/* References from here on are counted for this phase. All shards begin in phase 0. */
void ms_engine_begin_phase(struct ms_engine_shard *shard, uint32_t phase);

/*
 * The following executions are those of this thread, on this processor of the machine. All shards
 * begin with thread 0 on processor 0. Without effect where one processor is simulated.
 */
void ms_engine_set_processor(struct ms_engine_shard *shard, uint32_t processor, uint32_t thread);
/*
 * Registers the current thread under the name that the stream uses for it (MS_WIRE_SWITCH),
 * together with its processor and its data of freed memory. Where the stream switches to a
 * registered thread, ms_engine_filter_executions() switches by itself and continues. The
 * registration holds until ms_engine_forget_threads().
 */
void ms_engine_register_thread(struct ms_engine_shard *shard, uint32_t name);
void ms_engine_forget_threads(struct ms_engine_shard *shard);
/*
 * Handles a record that switches threads, in words that this shard does not filter. Returns false
 * if the thread is not registered.
 */
bool ms_engine_switch_thread(struct ms_engine_shard *shard, uint64_t record);
/* Number of thread switches since the last call; *name receives the thread of the last one. */
uint64_t ms_engine_take_thread_switches(struct ms_engine_shard *shard, uint32_t *name);
/* This number of processors is busy from here on; weights are derived from it. Initially 1. */
void ms_engine_set_busy_processors(struct ms_engine_shard *shard, uint32_t processors);
/*
 * Sets the NUMA placement of pages of [start, end) that are touched first from here on. start ==
 * end: the default for all other pages. nodes is a bit set of nodes (0: all). Pages are distributed
 * over them in turn (MS_PLACEMENT_INTERLEAVED), or go to the node of the processor that touches
 * them if it is in the set, else to the lowest one (MS_PLACEMENT_NODE).
 */
void ms_engine_set_placement(struct ms_engine_shard *shard, uint64_t start, uint64_t end,
			     enum ms_machine_page_placement placement, uint64_t nodes);

#endif
