/*
 * engine/event_consumer_priv.h - events of the program and of its simulation, for a consumer that
 * needs all of them in order and may make accesses of its own: the simulated performance monitor.
 * One variant reports them (monitored_simulation.c); the others have no calls for them.
 */
#ifndef MS_ENGINE_EVENT_CONSUMER_PRIV_H
#define MS_ENGINE_EVENT_CONSUMER_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/caches/cache_events.h"
#include "engine/engine.h"
#include "engine/variant_priv.h"

struct ms_count_cell;

struct ms_engine_consumer {
	/*
	 * While a shard filters, in stream order. Blocks and changes of the program's memory are
	 * reported to every shard.
	 */
	void (*on_block)(struct ms_engine_shard *shard, const struct ms_engine_block *block);
	void (*on_map_change)(struct ms_engine_shard *shard, enum ms_engine_map_change change,
			      uint64_t start, uint64_t end);
	/* Before the references of an execution; exit: number of the block's exit. */
	void (*on_execution)(struct ms_engine_shard *shard, uint32_t exit);
	/* The shard has filtered the batch. */
	void (*on_batch_filtered)(struct ms_engine_shard *shard, unsigned batch_index);

	/* While the batch is simulated, by shard 0. */
	void (*on_batch)(struct ms_engine_shard *shard, unsigned batch_index);
	/* A reference, with the index of its first pending access in the batch. */
	void (*on_reference)(struct ms_engine_shard *shard, size_t index,
			     const struct ms_count_cell *cell);
	/* It accesses the line at this address. */
	void (*on_line)(struct ms_engine_shard *shard, uint64_t address);
	/* It misses this level, and has missed all levels before. */
	void (*on_miss)(struct ms_engine_shard *shard, unsigned level);
	/* Its last line has been accessed. The consumer can make accesses of its own now. */
	void (*on_reference_end)(struct ms_engine_shard *shard);
	/* The batch ends, after so many pending accesses. */
	void (*on_batch_end)(struct ms_engine_shard *shard, size_t accesses);

	const struct ms_caches_events *cache_events; /* between on_line and on_miss */
};

/* The state of a monitored engine. */
struct ms_engine_monitoring {
	const struct ms_engine_consumer *consumer;
	bool reports_executions; /* which costs time */
	bool drops_repeats;      /* accesses to the most recent line of a set change nothing */
	uint64_t *recent;        /* by set of the first level: its most recent line */
};

/* Functions of struct ms_engine_variant. Its open() has set the consumer. */
void ms_engine_open_monitored_shard(struct ms_engine_shard *shard,
				    const struct ms_engine_setup *setup);
void ms_engine_close_monitored_shard(struct ms_engine_shard *shard);
void ms_engine_add_monitored_block(struct ms_engine_shard *shard,
				   const struct ms_engine_block *block);
size_t ms_engine_filter_monitored(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
void ms_engine_distribute_monitored(struct ms_engine_shard *shard, unsigned batch_index);
void ms_engine_change_monitored_map(struct ms_engine_shard *shard, enum ms_engine_map_change change,
				    uint64_t start, uint64_t end);
void ms_engine_simulate_monitored(struct ms_engine_shard *shard, unsigned batch_index);

/* Accesses a line for the program or the consumer: see ms_caches_access_line(). */
unsigned ms_engine_access_monitored_line(struct ms_engine_shard *shard, struct ms_count_cell *cell,
					 uint64_t line);

#endif
