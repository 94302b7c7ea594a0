/* engine/simulated_pmu/pmu_state.h - the state of a monitored engine: counter, registers and time.
 * See pmu.h. */
#ifndef MS_ENGINE_SIMULATED_PMU_PMU_STATE_H
#define MS_ENGINE_SIMULATED_PMU_PMU_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "engine/simulated_pmu/interrupt_handler.h"
#include "engine/simulated_pmu/pmu.h"
#include "engine/variant_priv.h"

struct ms_engine_shard;
struct ms_count_cell;

/* A change of the program that the handler's maps must follow. */
struct ms_pmu_map_change {
	uint32_t kind; /* enum ms_engine_map_change, or MS_PMU_CHANGE_SITES */
	uint64_t start;
	uint64_t end;
};

/* `start` is the number of known instructions. */
enum { MS_PMU_CHANGE_SITES = MS_ENGINE_MAP_CHANGES };

/* Before this pending access of its batch: the number of changes since the beginning. */
struct ms_pmu_change_mark {
	size_t index;
	uint64_t changes;
};

/* Before this pending access, time advances by so many instructions. */
struct ms_pmu_time_mark {
	uint32_t index;
	uint32_t instructions;
};

/* The marks of a batch. */
struct ms_pmu_marks {
	MS_VEC(struct ms_pmu_change_mark) changes;
	MS_VEC(struct ms_pmu_time_mark) times;
};

/* The filter's part of a shard: see pmu_simulation.c. */
struct ms_pmu_shard_state {
	struct ms_pmu_marks marks; /* of the batch that is being filtered */
	uint64_t changes;
	MS_VEC(uint16_t) exit_times; /* by exit: instructions before it */
	size_t timed_blocks;         /* blocks whose exits exit_times has */
};

/* The registers that the counter latches when it overflows. */
struct ms_pmu_registers {
	const struct ms_count_cell *cell;
	uint64_t line; /* its address */
	bool evicted;
	uint64_t victim;
	uint32_t victim_data;
};

struct ms_pmu_monitor {
	struct ms_pmu_config pmu;
	struct ms_engine_shard *shard; /* the shard that simulates */
	unsigned levels;
	uint64_t *answer; /* by level: cycles that a reference waits if this is the last level that
			     it missed */
	struct ms_pmu_handler handler;
	struct ms_count_cell *cell[3]; /* the handler's cells, by kind of reference */
	bool handling;                 /* the handler is running */
	uint64_t *recent; /* by set of the first level: its most recent line; NULL: repeated
			     accesses change the cache */

	/* The counter. */
	uint64_t mean_period;
	uint64_t remaining; /* events until it overflows */
	uint64_t random;
	bool overflown;                    /* an interrupt is pending */
	struct ms_pmu_registers registers; /* latched at the overflow */

	/* The present reference. */
	struct ms_pmu_registers now;
	uint64_t missed_line; /* the last line that missed the counter's level */
	unsigned missed;      /* number of levels that it missed so far */

	uint64_t instructions; /* so far; only if the period follows `wish` */
	uint64_t waited;       /* cycles that the program waited */
	uint64_t spent;        /* cycles of the monitor; see interrupt() */
	uint64_t events;
	uint64_t events_before; /* at the last interrupt, like cycles_before */
	uint64_t cycles_before;
	uint64_t interrupts;
	uint64_t handler_waited;
	uint64_t *handler_misses;
	double weights; /* sum of the squares of events between samples */
	struct ms_map sample_of;
	MS_VEC(struct ms_pmu_sample) samples;

	MS_VEC(struct ms_pmu_map_change) changes; /* not yet applied, from `next` on */
	size_t next;
	uint64_t applied; /* since the beginning */

	struct ms_pmu_marks *marks; /* by batch in flight */
};

/* Functions of struct ms_engine_variant. pmu_counter.c: */
void ms_pmu_open(struct ms_engine *engine, const struct ms_engine_setup *setup);
void ms_pmu_close(struct ms_engine *engine);
/* pmu_simulation.c: */
void ms_pmu_open_shard(struct ms_engine_shard *shard, const struct ms_engine_setup *setup);
void ms_pmu_close_shard(struct ms_engine_shard *shard);
void ms_pmu_add_block(struct ms_engine_shard *shard, const struct ms_engine_block *block);
size_t ms_pmu_filter_executions(struct ms_engine_shard *shard, const uint64_t *words, size_t n);
void ms_pmu_distribute_batch(struct ms_engine_shard *shard, unsigned batch_index);
/* Every shard records all changes; accesses after one are simulated with the change. */
void ms_pmu_change_map(struct ms_engine_shard *shard, enum ms_engine_map_change change,
		       uint64_t start, uint64_t end);
void ms_pmu_simulate_batch(struct ms_engine_shard *shard, unsigned batch_index);

/* pmu_simulation.c, for pmu_counter.c. */
void ms_pmu_free_marks(struct ms_pmu_marks *marks);
/* pmu_counter.c, for pmu_simulation.c. Call it for the shard that simulates. */
void ms_pmu_attach_shard(struct ms_pmu_monitor *monitor, struct ms_engine_shard *shard);
/* Returns whether the line is the most recent one of its set. An access to it changes nothing. */
bool ms_pmu_is_recent_line(const struct ms_pmu_monitor *monitor, uint64_t line);
/* Accesses a line for the program or the handler: see ms_caches_access_line(). */
unsigned ms_pmu_access_line(struct ms_pmu_monitor *monitor, struct ms_count_cell *cell,
			    uint64_t line);

/* pmu_counter.c, for pmu_simulation.c: the steps of one reference, in this order. */
void ms_pmu_begin_reference(struct ms_pmu_monitor *monitor, const struct ms_count_cell *cell);
void ms_pmu_count_miss(struct ms_pmu_monitor *monitor, unsigned level);
void ms_pmu_end_reference(struct ms_pmu_monitor *monitor);

#endif
