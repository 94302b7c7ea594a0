/*
 * engine/spatial/spatial.h - how lines are used: which bytes of a line are accessed while it is in
 * a cache, by which code, and after how many other lines it is used again.
 *
 * Only the accesses to selected lines are observed (line_selection.h), so all counts are estimates,
 * except where all lines are selected. The L1 filter records these accesses; the simulation of
 * caches adds how many levels each of them missed (record_touches.c). When all shards have
 * simulated a batch, one thread processes its accesses in stream order (observe_lines.c): the
 * result does not depend on the number of shards.
 *
 * A residency of a line in a level lasts from one miss of this line to the next one, or to the end
 * of the run. With several processors, each cache has residencies of its own.
 */
#ifndef MS_ENGINE_SPATIAL_SPATIAL_H
#define MS_ENGINE_SPATIAL_SPATIAL_H

#include <stddef.h>
#include <stdint.h>

#include "engine/spatial/line_selection.h"

struct ms_caches_miss;
struct ms_engine;
struct ms_engine_setup;
struct ms_engine_totals;
struct ms_machine;
struct ms_spatial;

/* NULL: the variant or its lines do not allow it. The engine's batches must be open. */
struct ms_spatial *ms_spatial_open(const struct ms_engine *engine,
				   const struct ms_engine_setup *setup);
void ms_spatial_close(struct ms_spatial *spatial);
/* The bytes that it takes; 0 if spatial is NULL. */
uint64_t ms_spatial_measure(const struct ms_spatial *spatial);
/*
 * The engine gets several processors. `thread`: the number of the thread that has made all accesses
 * so far.
 */
void ms_spatial_add_processors(struct ms_spatial *spatial, const struct ms_machine *machine,
			       uint32_t thread);
/* See ms_engine_select_lines(). */
void ms_spatial_set_rate(struct ms_engine *engine, uint32_t rate);

/* divide_misses.c: after the engine has opened its causes. */
void ms_spatial_divide_replacements(struct ms_engine *engine, const struct ms_machine *machine);

/* record_touches.c. The batch with this number, in stream order, is filtered next. */
void ms_spatial_begin_batch(struct ms_engine_shard *shard, uint64_t number);
/* The batch has been filtered; its pending accesses are distributed after that. */
void ms_spatial_hand_over(struct ms_engine_shard *shard, unsigned batch_index);
/*
 * With several processors, after that: the accesses of the batch get the objects and cells of their
 * pending accesses.
 */
void ms_spatial_bind_touches(struct ms_engine_shard *shard, unsigned batch_index);
/* The threshold of the batch; 0: it has no accesses to selected lines. */
uint64_t ms_spatial_get_threshold(const struct ms_engine *engine, unsigned batch_index);
/* The shard is about to simulate its share. */
void ms_spatial_begin_simulation(struct ms_engine_shard *shard, unsigned batch_index);
/* These lines of the shard's share missed a level: the first one, then the others in order. */
void ms_spatial_record_misses(struct ms_engine_shard *shard, unsigned batch_index, unsigned level,
			      const struct ms_caches_miss *lines, size_t n);
/* The same for the pending access with this index, which missed so many levels. In order. */
void ms_spatial_record_miss(struct ms_engine_shard *shard, unsigned batch_index, size_t pending,
			    unsigned missed);

/* observe_lines.c: all shards have simulated the batch. */
void ms_spatial_finish_batch(struct ms_engine *engine, unsigned batch_index);
/* spatial_totals.c. group: by site, the first site of its group; NULL: sites are not grouped. */
void ms_spatial_add_totals(const struct ms_engine *engine, const uint32_t *group,
			   struct ms_engine_totals *totals);

#endif
